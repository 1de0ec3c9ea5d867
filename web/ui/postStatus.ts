import type { LucideIcon } from 'lucide-react'
import Ban from 'lucide-react/icons/ban'
import Check from 'lucide-react/icons/check'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleQuestion from 'lucide-react/icons/circle-question-mark'
import Clock from 'lucide-react/icons/clock'
import FilePen from 'lucide-react/icons/file-pen'
import ListOrdered from 'lucide-react/icons/list-ordered'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import SearchCheck from 'lucide-react/icons/search-check'
import Trash from 'lucide-react/icons/trash'
import type { PostState } from '#contract/postStates.ts'
import type { Tone } from './tones.ts'

/** How each status of a post looks: always icon, text and color together. */
export const postStatusLook: Record<PostState, { word: string; tone: Tone; icon: LucideIcon }> = {
  DRAFTS: { word: 'Draft', tone: 'neutral', icon: FilePen },
  NEEDS_APPROVAL: { word: 'Needs approval', tone: 'wait', icon: CircleQuestion },
  REJECTED: { word: 'Rejected', tone: 'bad', icon: Ban },
  APPROVED: { word: 'Approved', tone: 'ok', icon: CircleCheck },
  SCHEDULED: { word: 'Scheduled', tone: 'neutral', icon: Clock },
  QUEUED: { word: 'Queued', tone: 'neutral', icon: ListOrdered },
  PROCESSING: { word: 'Sending', tone: 'info', icon: RefreshCw },
  UNCONFIRMED: { word: 'Unconfirmed', tone: 'wait', icon: SearchCheck },
  PUBLISHED: { word: 'Published', tone: 'ok', icon: Check },
  FAILED: { word: 'Failed', tone: 'bad', icon: CircleAlert },
  DELETED: { word: 'Deleted', tone: 'neutral', icon: Trash },
}
