import { Link } from "react-router";
import { home } from "#content/pages/home.ts";
import { LeadIntake } from "../../drawings/lead-intake.tsx";
import { BookingButton } from "../../scheduling/booking-button.tsx";
import { Actions } from "../../ui/actions.tsx";
import { ChalkLine } from "../../ui/chalk-line.tsx";
import { TitleBlock } from "../../ui/title-block.tsx";
import "../../ui/actions.css";

export function Hero() {
  const { heading, lede, secondary, titleBlock } = home.hero;
  return (
    <div className="hero">
      <div className="wrap hero-grid">
        <h1>
          {heading.map((sentence) => (
            <span key={sentence}>{sentence} </span>
          ))}
        </h1>
        <ChalkLine snap />
        <div>
          <p className="lede">{lede}</p>
          <Actions>
            <BookingButton />
            <Link to={secondary.path}>{secondary.label}</Link>
          </Actions>
        </div>
        <figure className="sheet hero-drawing">
          <LeadIntake />
          <TitleBlock entries={titleBlock} />
        </figure>
      </div>
    </div>
  );
}
