const KEY = 'rookery.reloadedFor'

type Tools = {
  /** The server's current page; undefined if there's none. */
  readPage: () => Promise<string | undefined>
  /** This page's script. */
  ownEntry: string | undefined
  storage: () => Pick<Storage, 'getItem' | 'setItem'>
  reload: () => void
}

/**
 * After code of the app couldn't be loaded: loads the page again where that may help, at most once for each build. It
 * helps where the server has another build by now, whose files have other names; and, when someone asked for another
 * try (`asked`), with the same build too, since some browsers remember a module that failed. Returns whether it does.
 */
export async function reloadIfUseful(asked: boolean, tools: Tools = ofBrowser()): Promise<boolean> {
  const entry = entryOf(await tools.readPage())
  // without a response, the next page would be the browser's error page
  if (entry === undefined || (entry === tools.ownEntry && !asked)) return false
  try {
    const storage = tools.storage()
    if (storage.getItem(KEY) === entry) return false
    storage.setItem(KEY, entry)
  } catch {
    // nothing can be remembered, so nothing would end a loop
    return false
  }
  tools.reload()
  return true
}

const entryOf = (page: string | undefined): string | undefined =>
  page === undefined ? undefined : /<script type="module"[^>]* src="([^"]+)"/.exec(page)?.[1]

const ofBrowser = (): Tools => ({
  readPage: () =>
    fetch('/', { cache: 'no-store' }).then(
      (answer) => (answer.ok ? answer.text() : undefined),
      () => undefined,
    ),
  ownEntry: document.querySelector('script[type=module][src]')?.getAttribute('src') ?? undefined,
  storage: () => sessionStorage,
  reload: () => location.reload(),
})
