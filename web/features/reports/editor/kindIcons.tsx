import ChartColumn from 'lucide-react/icons/chart-column'
import ChartLine from 'lucide-react/icons/chart-line'
import Image from 'lucide-react/icons/image'
import Inbox from 'lucide-react/icons/inbox'
import Link2 from 'lucide-react/icons/link-2'
import Megaphone from 'lucide-react/icons/megaphone'
import Scale from 'lucide-react/icons/scale'
import SeparatorHorizontal from 'lucide-react/icons/separator-horizontal'
import Sparkles from 'lucide-react/icons/sparkles'
import Table from 'lucide-react/icons/table-2'
import Trophy from 'lucide-react/icons/trophy'
import Type from 'lucide-react/icons/type'
import type { LucideIcon } from 'lucide-react'
import type { BlockKind } from '#contract/reports/content.ts'

const icons: Record<BlockKind, LucideIcon> = {
  cover: Image,
  text: Type,
  figures: ChartColumn,
  chart: ChartLine,
  postTable: Table,
  topPosts: Trophy,
  inbox: Inbox,
  campaigns: Megaphone,
  competitors: Scale,
  bio: Link2,
  ai: Sparkles,
  pageBreak: SeparatorHorizontal,
}

export function KindIcon({ kind, size = 15 }: { kind: BlockKind; size?: number }) {
  const Icon = icons[kind]
  return <Icon size={size} aria-hidden />
}
