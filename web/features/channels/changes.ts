import { allChannels, createAccess, listChannels, myChannels } from '#contract/channels.ts'
import { home, plan } from '#contract/organisations.ts'
import { postFilters } from '#contract/postLists.ts'

/** What is old once a channel was connected, changed or deleted. */
export const channelChanges = [listChannels, allChannels, myChannels, createAccess, postFilters, plan, home] as const
