import { PlatformKey } from '#contract/platforms/rules.ts'
import { platformName } from '#web/ui/PlatformIcon.tsx'

/** The sections of the insights, as addresses name them. */
export type Section = { key: 'insights'; platform?: never } | { key: 'platform'; platform: PlatformKey }

const titles: Record<Exclude<Section['key'], 'platform'>, string> = {
  insights: 'Insights Hub',
}
const isSingle = (key: string): key is keyof typeof titles => Object.hasOwn(titles, key)

/** The section of an address, such as `insights` or `platform/instagram`; undefined if there's none. */
export function sectionOf(path: string): Section | undefined {
  const [key = '', platform, ...more] = path.split('/')
  if (more.length > 0) return undefined
  if (key === 'platform') {
    const known = PlatformKey.safeParse(platform)
    return known.success ? { key, platform: known.data } : undefined
  }
  return isSingle(key) && platform === undefined ? { key } : undefined
}

export const sectionTitle = (section: Section): string =>
  section.key === 'platform' ? `${platformName(section.platform)} Insights` : titles[section.key]
