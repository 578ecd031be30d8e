// One file: each file has a worker of its own, which starts its engine anew, and Firefox takes five seconds for it.
import "./pages.ts";
import "./states.ts";
import "./letters.ts";
