/** Walls, door swings and furniture of the agent's floor plan. The openings are where the routes pass. */
export function AgentPlanWalls() {
  return (
    <>
      <path
        className="wall"
        d="M30 118V72H386V118M386 162V352H362M174 352H30V162M149 72V118M149 162V254M149 298V352M267 72V118M267 162V216M30 216H184M232 216H386"
      />
      <path
        className="part-line"
        d="M30 118h40a40 40 0 0 1-36 44M386 118h-40a40 40 0 0 0 36 44M149 254h-38a38 38 0 0 0 34 44"
      />
      <path className="part" d="M80 172h52v32H80z" />
      <path className="part-line" d="M80 172l26 18 26-18" />
      <path className="part" d="M160 156h34v50h-34z" />
      <path className="part-line" d="M166 168h22M166 177h22M166 186h22M166 195h14" />
      <path className="part" d="M290 172h34v32h-34zM336 172h16l5 7h17v25h-38z" />
      <path className="part-line" d="M290 181h34M301 181v23M312 181v23" />
      <path className="part" d="M54 262h52v36H54z" />
      <path className="part-line" d="M80 262v36M61 272h12M61 281h12M87 272h12M87 281h12" />
    </>
  );
}
