import { BIO } from '#contract/linkInBio/limits.ts'
import { Slug } from '#contract/linkInBio/slugs.ts'

/** An address for a page of that name; empty if its letters give none. */
export function slugOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mn}|['’]/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, BIO.slug.max)
    .replaceAll(/^-+|-+$/g, '')
  if (plain === '') return ''
  return [plain, `${plain.slice(0, BIO.slug.max - 6)}-links`].find((one) => Slug.safeParse(one).success) ?? ''
}
