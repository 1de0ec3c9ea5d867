import Download from 'lucide-react/icons/download'
import { invoice, transactions, type Transaction } from '#contract/billing.ts'
import { money } from '#contract/format.ts'
import { dateOf } from '#web/lib/format.ts'
import { useCall, useSend } from '#web/lib/queries.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Pagination } from '#web/ui/Pagination.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { quantityText, transactionWords } from './planWords.ts'

type Props = { orgId: string; zone: string; page: number; onPage: (page: number) => void }

/** Payments and their invoices; nothing while there are none. */
export function TransactionTable({ orgId, zone, page, onPage }: Props) {
  const found = useCall(transactions, { params: { orgId }, query: { page } }, { keepPrevious: true, handles: true })
  const columns: readonly Column<Transaction>[] = [
    {
      key: 'number',
      header: 'Invoice Number',
      cell: ({ invoiceNumber }) => (
        <span className="tnum whitespace-nowrap">
          {invoiceNumber ?? <span className="text-ink-muted">None yet</span>}
        </span>
      ),
    },
    {
      key: 'date',
      header: 'Billing Date',
      cell: ({ transactionOccurredAt }) => (
        <span className="tnum whitespace-nowrap">{dateOf(transactionOccurredAt, zone)}</span>
      ),
    },
    { key: 'products', header: 'Products', cell: ({ transactionItems }) => productsOf(transactionItems) },
    {
      key: 'amount',
      header: 'Amount',
      align: 'end',
      cell: ({ lastTransactionTotals: { grandTotal, currencyCode } }) => (
        <span className="tnum">{money(grandTotal, currencyCode)}</span>
      ),
    },
    {
      key: 'status',
      header: 'Status',
      cell: ({ transactionStatus }) => (
        <Badge tone={transactionWords[transactionStatus].tone}>{transactionWords[transactionStatus].label}</Badge>
      ),
    },
    {
      key: 'download',
      header: 'Download',
      align: 'end',
      cell: (row) =>
        row.invoiceNumber === null ? null : (
          <DownloadButton orgId={orgId} transactionId={row.transactionId} invoiceNumber={row.invoiceNumber} />
        ),
    },
  ]
  if (found.data?.pagination.totalCount === 0) return null
  return (
    <section aria-labelledby="invoices" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 id="invoices" className="text-lg font-bold">
        Invoices
      </h2>
      <Loaded query={found}>
        {({ transactions: rows, pagination }) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
            <Table label="Invoices" columns={columns} rows={rows} rowKey={({ transactionId }) => transactionId} />
            <Pagination
              page={pagination.currentPage}
              totalPages={pagination.totalPages}
              onPage={onPage}
              loading={found.isPlaceholderData}
            />
          </div>
        )}
      </Loaded>
    </section>
  )
}

const productsOf = (items: Transaction['transactionItems']): string =>
  items.map(({ name, quantity }) => quantityText(name, quantity)).join(', ') || 'Payment method'

function DownloadButton({
  orgId,
  transactionId,
  invoiceNumber,
}: {
  orgId: string
  transactionId: string
  invoiceNumber: string
}) {
  const find = useSend(invoice)
  const open = () => {
    // opened by the click itself: browsers refuse a tab that opens after an answer
    const tab = window.open('', '_blank')
    find.mutate(
      { params: { orgId, transactionId } },
      {
        onSuccess: ({ url }) => {
          if (!tab) return window.location.assign(url)
          tab.opener = null
          tab.location.replace(url)
        },
        onError: () => tab?.close(),
      },
    )
  }
  return (
    <IconButton
      label={`Download invoice ${invoiceNumber}`}
      icon={<Download size={15} />}
      loading={find.isPending}
      onClick={open}
    />
  )
}
