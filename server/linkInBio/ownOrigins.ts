import type { Env } from '../env.ts'

/** Where this installation is, under each of its names: a page's links may not lead on through it. */
export const ownOrigins = ({ publicUrl, shortUrl, ALLOWED_HOSTS }: Env): string[] => [
  ...new Set([
    publicUrl,
    shortUrl,
    ...ALLOWED_HOSTS.map((name) => `http://${name}`).filter((origin) => URL.canParse(origin)),
  ]),
]
