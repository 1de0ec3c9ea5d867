import type { Env } from '../env.ts'

/** What short links begin with, and the hosts of this installation, to which links stay as they are. */
export type LinkHosts = { shortUrl: string; ownHosts: string[] }

export function linkHosts({ publicUrl, shortUrl }: Pick<Env, 'publicUrl' | 'shortUrl'>): LinkHosts {
  return { shortUrl, ownHosts: [...new Set([new URL(publicUrl).hostname, new URL(shortUrl).hostname])] }
}
