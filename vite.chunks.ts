import { join } from 'node:path'
import { normalizePath, type Plugin, type Rolldown } from 'vite'

const MAIN = normalizePath(join(import.meta.dirname, 'web/main.tsx'))

/** What people open first, each with a letter of its own: the login, a project's frame, three of its pages, one post, a menu. */
const FIRST: readonly (readonly [letter: string, file: string])[] = [
  ['L', '/web/app/screens/LoginScreen.tsx'],
  ['F', '/web/app/shell/Shell.tsx'],
  ['D', '/web/app/screens/DashboardScreen.tsx'],
  ['C', '/web/app/screens/CalendarScreen.tsx'],
  ['W', '/web/app/screens/ComposeScreen.tsx'],
  ['P', '/web/app/screens/PostSheet.tsx'],
  ['M', '/web/ui/MenuPanel.tsx'],
]
/**
 * The other screens: on the way in (s), plain pages (t), alone but for people who are signed in (a), of the insights (i),
 * of a project (p).
 */
const OTHERS: readonly (readonly [letter: string, file: RegExp])[] = [
  ['s', /\/(?:ForgotPassword|Invite|PaymentSuccess|Pricing|ResetPassword|Signup|Verify)Screen\.tsx$/],
  ['t', /\/(?:AccessDenied|Privacy|Terms|Unsubscribe)Screen\.tsx$/],
  ['a', /\/(?:StandaloneProfile|(?:Approve|OAuthCallback|Onboarding|SecondStep)Screen)\.tsx$/],
  ['i', /\/web\/app\/screens\/(?:Insights\w+|insights\/\w+)\.tsx?$/],
  ['p', /\/web\/app\/screens\/\w+Screen\.tsx$/],
]

/** The letter of what is loaded later; x for dialogs, menus and big libraries. */
const letterOf = (id: string): string =>
  FIRST.find(([, file]) => id.endsWith(file))?.[0] ?? OTHERS.find(([, file]) => file.test(id))?.[0] ?? 'x'

/**
 * Names the file that each module is put into, so that a first visit loads few files and hardly anything that its page
 * doesn't use: what the login and a project share comes with the app, what several pages share is one file for all that
 * the same first pages use, and what is used in one place stays with it (null).
 */
export function chunkNames(): Rolldown.CodeSplittingNameFunction {
  let users: ReadonlyMap<string, readonly string[]> | undefined
  return (id, graph) => {
    users ??= usersOf(graph)
    const by = users.get(id)
    return by ? chunkOf(by) : null
  }
}

/**
 * No file imports another that imports it in turn: what a module imports is used by all that use the module, so it's in
 * the same file, or in one that takes more pages' modules.
 */
function chunkOf(users: readonly string[]): string | null {
  // the catalog of figures, for one
  if (users.length > 1 && users.every((letter) => letter === 'i')) return 'insights'
  const by = users.map((letter) => (letter === 'i' ? 'p' : letter))
  const uses = (...letters: string[]) => letters.every((letter) => by.includes(letter))
  const usesAnyOf = (letters: string) => by.some((letter) => letters.includes(letter))
  if (uses(APP) || (uses('L') && usesAnyOf('FDCW'))) return 'index'
  // a few kilobytes, which would make the sign-up load what is around a project
  if (uses('s') && usesAnyOf('FDCWP') && !uses('C', 'W')) return 'index'
  if (uses('F') || uses('D', 'W')) return 'shell'
  if (uses('P') && !usesAnyOf('LDCW')) return 'post'
  if (by.length === 1) return null
  if (uses('C', 'W')) return 'floating'
  // what the dashboard shares with code that comes later isn't the calendar's, which loads a post's sheet too
  if (uses('D')) return usesAnyOf('CP') ? 'posts' : 'dashboard'
  if (uses('C')) return 'lists'
  // what a post's sheet doesn't need, which the calendar loads
  if (uses('W') && !usesAnyOf('PM')) return 'files'
  if (uses('W')) return 'writing'
  // with what positions them, nothing else
  if (uses('M')) return 'menus'
  if (uses('L')) return 'forms'
  if (uses('s')) return 'signup'
  if (uses('a', 'p')) return 'account'
  if (uses('p', 'x')) return 'details'
  if (uses('p')) return 'settings'
  if (uses('a')) return 'entry'
  return uses('t') ? 'legal' : 'extras'
}

const APP = 'app'

/** The letters of everything that needs each module: the app, or what is loaded later, once for each. */
function usersOf(graph: Rolldown.ChunkingContext): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>()
  const later = new Set<string>()
  const mark = (start: string, letter: string) => {
    const seen = new Set<string>()
    const waiting = [start]
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const module = seen.has(id) ? null : graph.getModuleInfo(id)
      seen.add(id)
      if (!module) continue
      users.set(id, [...(users.get(id) ?? []), letter])
      waiting.push(...module.importedIds)
      for (const dynamic of module.dynamicallyImportedIds) later.add(dynamic)
    }
  }
  mark(MAIN, APP)
  // grows while it is walked
  for (const id of later) mark(id, letterOf(id))
  return users
}

/**
 * Writes screens.json: for each screen, and for the frame of a project (`shell`), the files that it needs besides the
 * page's own, by the screen's name as addresses spell it (`OrgSettingsScreen` is `org-settings`). The server links them in
 * the page (server/http/page.ts), so that they come beside the app's own files instead of after them.
 */
export function screenFiles(): Plugin {
  return {
    name: 'screen-files',
    apply: 'build',
    generateBundle(_, bundle) {
      const own = ownFiles(bundle)
      const screens = chunksOf(bundle).flatMap(({ fileName, moduleIds }) =>
        moduleIds
          .map((id) => /\/web\/app\/(?:screens|shell)\/(\w+Screen|Shell)\.tsx$/.exec(id)?.[1])
          .filter((name) => name !== undefined)
          .map(
            (name) =>
              [spelled(name), [...new Set(neededBy(fileName, bundle))].filter((file) => !own.has(file))] as const,
          ),
      )
      this.emitFile({ type: 'asset', fileName: 'screens.json', source: JSON.stringify(Object.fromEntries(screens)) })
    },
  }
}

/** The files that the page itself needs, whatever its screen. Once Vite has written the page, its own is no entry anymore. */
const ownFiles = (bundle: Rolldown.OutputBundle): Set<string> =>
  filesFor(({ isEntry, moduleIds }) => isEntry || moduleIds.includes(MAIN), bundle)

/** The files that screens of a project need besides those of first visits: they're loaded before someone opens them. */
export function filesAhead(bundle: Rolldown.OutputBundle): string[] {
  const first = filesFor(isOf(FIRST.map(([letter]) => letter)), bundle)
  const own = ownFiles(bundle)
  return [...filesFor(isOf(['i', 'p']), bundle)].filter((file) => !first.has(file) && !own.has(file))
}

const isOf =
  (letters: readonly string[]) =>
  ({ moduleIds }: Rolldown.OutputChunk) =>
    moduleIds.some((id) => letters.includes(letterOf(id)))

const filesFor = (needs: (chunk: Rolldown.OutputChunk) => boolean, bundle: Rolldown.OutputBundle) =>
  new Set(
    chunksOf(bundle)
      .filter(needs)
      .flatMap(({ fileName }) => neededBy(fileName, bundle)),
  )

const chunksOf = (bundle: Rolldown.OutputBundle): Rolldown.OutputChunk[] =>
  Object.values(bundle).filter((file) => file.type === 'chunk')

/** A file, and those that it imports. */
function neededBy(file: string, bundle: Rolldown.OutputBundle): string[] {
  const chunk = bundle[file]
  return chunk?.type === 'chunk' ? [file, ...chunk.imports.flatMap((one) => neededBy(one, bundle))] : []
}

const spelled = (name: string): string =>
  name
    .replace(/Screen$/, '')
    .replace(/\B[A-Z]/g, '-$&')
    .toLowerCase()
