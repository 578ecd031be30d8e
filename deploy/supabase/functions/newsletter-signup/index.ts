import { createFunctions } from "../_shared/functions.js";

Deno.serve(createFunctions(Deno.env.toObject()).answer);
