import ChartNoAxesColumn from 'lucide-react/icons/chart-no-axes-column'
import Download from 'lucide-react/icons/download'
import Table2 from 'lucide-react/icons/table-2'
import type { ChartData } from '#charts/data.ts'
import { csvOf, tableOf } from '#charts/table.ts'
import { saveFile } from '#web/lib/saveFile.ts'
import { Button } from '../Button.tsx'
import { IconButton } from '../IconButton.tsx'

type Props = { label: string; data: ChartData; asTable: boolean; onTable: (asTable: boolean) => void }

/** Shows a chart as a table and back, and saves its data as a file. */
export function ChartTools({ label, data, asTable, onTable }: Props) {
  return (
    <span className="-mr-1.5 ml-auto flex shrink-0 items-center">
      <Button
        size="s"
        tone="quiet"
        icon={asTable ? <ChartNoAxesColumn size={14} aria-hidden /> : <Table2 size={14} aria-hidden />}
        onClick={() => onTable(!asTable)}
        aria-label={`Show ${label} as a ${asTable ? 'chart' : 'table'}`}
      >
        {asTable ? 'Chart' : 'Table'}
      </Button>
      <IconButton
        size="s"
        label={`Download ${label} as CSV`}
        icon={<Download size={14} />}
        onClick={() => saveFile(`${fileName(label)}.csv`, csvOf(tableOf(data)), 'text/csv;charset=utf-8')}
      />
    </span>
  )
}

const fileName = (label: string): string =>
  label
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
