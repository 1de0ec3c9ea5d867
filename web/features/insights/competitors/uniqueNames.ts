type Named = { id: string; name: string; handle: string }

/** What each account is called in a chart: its name, with its handle where several have the same. */
export function uniqueNames(accounts: readonly Named[]): ReadonlyMap<string, string> {
  const sharing = Map.groupBy(accounts, ({ name }) => name.trim().toLowerCase())
  return new Map(
    accounts.map(({ id, name, handle }) => [
      id,
      sharing.get(name.trim().toLowerCase())?.length === 1 ? name : `${name} (${handle})`,
    ]),
  )
}
