import { z } from 'zod'

// The content policy forbids compiling code at run time, and zod tries to when the first schema is built: this module
// comes before all of them. What is parsed here is small; the server compiles its own.
z.config({ jitless: true })
