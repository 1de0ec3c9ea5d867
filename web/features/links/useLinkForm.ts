import { useState } from 'react'
import { linkTagNames } from '#contract/links/details.ts'
import { LinkSetting } from '#contract/links/settings.ts'
import { LinkTags } from '#contract/links/tags.ts'
import type { ApiFailure } from '#web/lib/failure.ts'
import type { TagErrors } from './TagFields.tsx'

/** Settings as someone types them: what is stored until then, and what is wrong with a tag once they tried to save. */
export function useLinkForm(stored: LinkSetting) {
  const [typed, setTyped] = useState<LinkSetting>()
  const [tried, setTried] = useState(false)
  const [refused, setRefused] = useState<string>()
  const value = typed ?? stored
  const errors = tried ? errorsOf(value) : {}
  return {
    value,
    errors,
    refused,
    isChanged: typed !== undefined && !isSame(typed, stored),
    change: (next: LinkSetting) => {
      setTyped(next)
      setRefused(undefined)
    },
    /** What can be saved; undefined if something is wrong, which is shown from now on. */
    checked: (): LinkSetting | undefined => {
      setTried(true)
      return LinkSetting.safeParse(value).data
    },
    fail: ({ detail, title }: ApiFailure) => setRefused(detail ?? title),
    reset: () => {
      setTyped(undefined)
      setTried(false)
      setRefused(undefined)
    },
  }
}

function errorsOf({ tags }: LinkSetting): TagErrors {
  const issues = LinkTags.safeParse(tags).error?.issues ?? []
  return Object.fromEntries(
    linkTagNames.flatMap((name) => {
      const issue = issues.find(({ path }) => path[0] === name)
      return issue ? [[name, issue.message]] : []
    }),
  )
}

const isSame = (one: LinkSetting, other: LinkSetting): boolean =>
  one.shorten === other.shorten &&
  linkTagNames.every((name) => (one.tags[name]?.trim() ?? '') === (other.tags[name]?.trim() ?? ''))
