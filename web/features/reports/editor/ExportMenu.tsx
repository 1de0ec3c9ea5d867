import Download from 'lucide-react/icons/download'
import { reportBlockCsv, reportPdf, reportXlsx } from '#contract/reports/files.ts'
import type { ReportBlock } from '#contract/reports/content.ts'
import type { Report } from '#contract/reports/reports.ts'
import { addressOf } from '#web/lib/client.ts'
import { useDownload } from '#web/lib/download.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { Button } from '#web/ui/Button.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/Menu.tsx'
import { nameAmong } from './blockWords.ts'
import { KindIcon } from './kindIcons.tsx'

/** Kinds that have figures of their own to put into a file. */
const hasFigures = ({ kind }: ReportBlock) =>
  kind !== 'cover' && kind !== 'text' && kind !== 'ai' && kind !== 'pageBreak'

/** The report's files, as it's saved. */
export function ExportMenu({ report, unsaved }: { report: Report; unsaved: boolean }) {
  const params = { ...useProjectIds(), reportId: report.reportId }
  const download = useDownload()
  const blocks = report.content.blocks.filter(hasFigures)
  return (
    <Menu
      align="end"
      label="Export"
      className="max-w-[min(28rem,calc(100vw-1.5rem))]"
      trigger={
        <Button size="s" icon={<Download size={14} aria-hidden />} loading={download.isPending}>
          Export
        </Button>
      }
    >
      {unsaved ? (
        <>
          <p className="max-w-64 px-2 py-1.5 text-sm text-pretty text-ink-muted">
            Files have the report as it was last saved, without your changes.
          </p>
          <MenuSeparator />
        </>
      ) : null}
      <MenuItem onSelect={() => download.mutate({ address: addressOf(reportPdf, { params }), name: 'report.pdf' })}>
        PDF
      </MenuItem>
      <MenuItem onSelect={() => download.mutate({ address: addressOf(reportXlsx, { params }), name: 'report.xlsx' })}>
        Excel (XLSX), a sheet per block
      </MenuItem>
      {blocks.length > 0 ? (
        <>
          <MenuSeparator />
          <MenuLabel>CSV of a block</MenuLabel>
        </>
      ) : null}
      {blocks.map((block) => (
        <MenuItem
          key={block.blockId}
          icon={<KindIcon kind={block.kind} />}
          onSelect={() =>
            download.mutate({
              address: addressOf(reportBlockCsv, { params, query: { blockId: block.blockId } }),
              name: 'figures.csv',
            })
          }
        >
          {nameAmong(block, blocks)}
        </MenuItem>
      ))}
    </Menu>
  )
}
