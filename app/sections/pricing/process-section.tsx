import { pricing } from "#content/pages/pricing.ts";
import { ProjectSectionPanel } from "../../drawings/project-section.tsx";
import { unbroken } from "../../ui/unbroken.tsx";

/** The five steps under their section drawing, from the stake in the ground to the added storey. */
export function ProcessSection() {
  const { heading, steps } = pricing.process;
  return (
    <section className="section project">
      <div className="wrap">
        <h2>{heading}</h2>
        <ol className="project-steps">
          {steps.map(({ step, title, description }, index) => (
            <li key={step}>
              <ProjectSectionPanel step={index} />
              <div>
                <p className="lettering">{step}</p>
                <h3>{title}</h3>
                <p>{unbroken(description)}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
