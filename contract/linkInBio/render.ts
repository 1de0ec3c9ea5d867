import { bioStyle } from './style.ts'
import { bioThemes, type BioThemeKey } from './themes.ts'

/*
 * The page that visitors see, as HTML: the server sends it, and the editor shows it in a frame. Without scripts, and small: a page
 * with 50 buttons and 60 posts stays below 15 kB on the wire. Everything that people wrote is escaped here, and since nobody knows
 * its language, marked so (lang="").
 */

/** Addresses of a picture in two sizes: the large one for screens with twice the pixels. */
export type BioPicture = { small: string; large: string }
/** Where a link leads. Null in a preview, where nothing leads anywhere. */
type BioLink = { label: string; href: string | null }

/** What a page shows. In a preview, `share`, `report` and all `href` are null. */
export type BioView = {
  name: string
  about: string
  theme: BioThemeKey
  picture: BioPicture | null
  buttons: readonly BioLink[]
  posts: readonly (BioLink & { picture: BioPicture | null })[]
  noindex: boolean
  /** What search engines and social networks are told: full addresses of the page and of a picture of 1200 by 630 pixels. */
  share: { address: string; picture: string } | null
  /** Where visitors report the page. */
  report: string | null
}

/** A page as HTML with its own style. It loads nothing but its pictures. */
export function renderBioPage(view: BioView): string {
  const name = escaped(view.name)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${name}</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="theme-color" content="${bioThemes[view.theme].page}">
${headOf(view)}<style>${bioStyle(view.theme)}</style>
</head>
<body>
<header lang="">
${faceOf(view)}<h1 dir="auto">${name}</h1>
${view.about === '' ? '' : `<p dir="auto">${escaped(view.about)}</p>\n`}</header>
<main>
${listOf('links', 'Links', view.buttons.map(buttonOf))}${listOf('posts', 'Posts', view.posts.map(postOf))}</main>
<footer><a${hrefOf(view.report)} rel="nofollow">Report this page</a></footer>
</body>
</html>
`
}

/** What isn't shown: for search engines, and for the card that a link to the page becomes elsewhere. */
function headOf({ name, about, noindex, share, picture }: BioView): string {
  const description = escaped(about.replace(/\s+/g, ' ').trim() || `Links from ${name}`)
  const property = (key: string, content: string) => `<meta property="og:${key}" content="${content}">\n`
  return [
    `<meta name="description" content="${description}">\n`,
    noindex ? '<meta name="robots" content="noindex">\n' : '',
    picture ? `<link rel="icon" href="${escaped(picture.small)}">\n` : '',
    share
      ? [
          `<link rel="canonical" href="${escaped(share.address)}">\n`,
          property('type', 'website'),
          property('url', escaped(share.address)),
          property('title', escaped(name)),
          property('description', description),
          property('image', escaped(share.picture)),
          property('image:width', '1200'),
          property('image:height', '630'),
          property('image:alt', escaped(name)),
          '<meta name="twitter:card" content="summary_large_image">\n',
        ].join('')
      : '',
  ].join('')
}

/** The page's picture, or the first letter of its name. The name is beside it, so it says nothing to people who don't see it. */
function faceOf({ name, picture }: BioView): string {
  if (picture) return `<img class="face" ${sourceOf(picture)} alt="" width="104" height="104">\n`
  const letter = firstLetterOf(name)
  return letter === '' ? '' : `<div class="face" aria-hidden="true">${escaped(letter)}</div>\n`
}

/** The first letter of a name as it's read, or its first emoji. Empty for an empty name. */
export function firstLetterOf(name: string): string {
  const [first] = new Intl.Segmenter().segment(name.trim())
  return first?.segment.toUpperCase() ?? ''
}

/** The role is for browsers that take a list without bullets for something else. */
const listOf = (kind: string, heading: string, items: readonly string[]): string =>
  items.length === 0
    ? ''
    : `<h2 class="unseen">${heading}</h2>\n<ul class="${kind}" role="list" lang="">\n${items.join('')}</ul>\n`

const buttonOf = ({ label, href }: BioLink): string =>
  `<li><a${hrefOf(href)} rel="nofollow noopener ugc">${escaped(label)}</a>\n`

const postOf = ({ label, href, picture }: BioView['posts'][number]): string =>
  `<li><a${hrefOf(href)} rel="nofollow noopener ugc">${
    picture ? `<img ${sourceOf(picture)} alt="${escaped(label)}" loading="lazy">` : `<span>${escaped(label)}</span>`
  }</a>\n`

const sourceOf = ({ small, large }: BioPicture): string => `src="${escaped(small)}" srcset="${escaped(large)} 2x"`

/** A path of ours or one of four schemes: another one leads nowhere, wherever it came from. */
const hrefOf = (href: string | null): string =>
  href !== null && /^(?:\/(?![/\\])|https?:|mailto:|tel:)/i.test(href) ? ` href="${escaped(href)}"` : ''

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text as HTML, inside elements and quoted attributes. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
