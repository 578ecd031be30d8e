import "./half-hour.css";

const minutes = 30;
const step = 5;

type HalfHourProps = { duration: string; price: string };

/** Half an hour on a scale, dimensioned like a cut: how long the call is and what it costs. For the eye alone. */
export function HalfHour({ duration, price }: HalfHourProps) {
  const ticks = Array.from({ length: minutes / step + 1 }, (_, index) => index * step);
  return (
    <div className="half-hour" aria-hidden="true">
      <div className="half-hour-dimension">
        <span>
          {duration}, {price}
        </span>
      </div>
      <div className="half-hour-scale">
        {ticks.map((tick) => (
          <span key={tick}>{tick}</span>
        ))}
      </div>
    </div>
  );
}
