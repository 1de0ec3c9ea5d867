import type { LucideIcon } from 'lucide-react'
import Ban from 'lucide-react/icons/ban'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import CirclePause from 'lucide-react/icons/circle-pause'
import CircleStop from 'lucide-react/icons/circle-stop'
import Megaphone from 'lucide-react/icons/megaphone'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import SearchCheck from 'lucide-react/icons/search-check'
import type { BoostState } from '#contract/boosts.ts'
import type { Tone } from '#web/ui/tones.ts'

/** How each state of a boost looks: icon, text and color together. */
export const boostLook: Record<BoostState, { word: string; tone: Tone; icon: LucideIcon }> = {
  PENDING: { word: 'Starting', tone: 'info', icon: RefreshCw },
  IN_REVIEW: { word: 'In review', tone: 'info', icon: SearchCheck },
  ACTIVE: { word: 'Active', tone: 'ok', icon: Megaphone },
  HELD: { word: 'On hold', tone: 'wait', icon: CirclePause },
  REJECTED: { word: 'Rejected', tone: 'bad', icon: Ban },
  STOPPING: { word: 'Stopping', tone: 'info', icon: RefreshCw },
  STOPPED: { word: 'Stopped', tone: 'neutral', icon: CircleStop },
  ENDED: { word: 'Ended', tone: 'neutral', icon: CircleCheck },
  FAILED: { word: 'Not started', tone: 'bad', icon: CircleAlert },
}
