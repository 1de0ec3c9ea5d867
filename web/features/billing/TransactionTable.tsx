import Download from 'lucide-react/icons/download'
import { transactions, type Transaction } from '#contract/billing.ts'
import { money } from '#contract/format.ts'
import { dateOf } from '#web/lib/format.ts'
import { useCall } from '#web/lib/queries.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Pagination } from '#web/ui/Pagination.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { BILLING_ZONE, quantityText, transactionWords } from './planWords.ts'
import { useDocument } from './useDocument.ts'

type Props = { orgId: string; page: number; onPage: (page: number) => void }

/** Payments and their invoices; nothing while there are none. */
export function TransactionTable({ orgId, page, onPage }: Props) {
  const found = useCall(transactions, { params: { orgId }, query: { page } }, { keepPrevious: true, handles: true })
  const columns: readonly Column<Transaction>[] = [
    {
      key: 'number',
      header: 'Invoice Number',
      cell: ({ invoiceNumber, refersTo, document }) => (
        <span className="tnum whitespace-nowrap">
          {invoiceNumber ?? (
            <span className="text-ink-muted">{document === 'payment_request' ? 'Not paid yet' : 'Not issued'}</span>
          )}
          {refersTo.length > 0 ? (
            <span className="block text-sm text-ink-muted">Credit note for {refersTo.join(', ')}</span>
          ) : null}
        </span>
      ),
    },
    {
      key: 'date',
      header: 'Billing Date',
      cell: ({ billedOn }) => <span className="tnum whitespace-nowrap">{dayText(billedOn)}</span>,
    },
    {
      key: 'products',
      header: 'Products',
      cell: ({ transactionItems, servicePeriod }) => (
        <>
          {productsOf(transactionItems)}
          {servicePeriod ? (
            <span className="tnum block text-sm text-ink-muted">
              {dayText(servicePeriod.from)} to {dayText(servicePeriod.to)}
            </span>
          ) : null}
        </>
      ),
    },
    {
      key: 'amount',
      header: 'Amount',
      align: 'end',
      cell: ({ kind, lastTransactionTotals: { total, credit, grandTotal, currencyCode } }) => (
        <span className="tnum">
          {money(total, currencyCode)}
          {kind === 'invoice' && credit !== 0 ? (
            <span className="block text-sm text-ink-muted">
              {credit > 0
                ? `${money(credit, currencyCode)} from credit, ${money(grandTotal, currencyCode)} by card`
                : `${money(-credit, currencyCode)} added to credit`}
            </span>
          ) : null}
        </span>
      ),
    },
    {
      key: 'status',
      header: 'Status',
      cell: ({ kind, transactionStatus }) => {
        const { tone, label } = kind === 'credit_note' ? CREDITED : transactionWords[transactionStatus]
        return <Badge tone={tone}>{label}</Badge>
      },
    },
    {
      key: 'download',
      header: 'Download',
      align: 'end',
      cell: (row) =>
        row.document === null ? null : (
          <DownloadButton
            orgId={orgId}
            transactionId={row.transactionId}
            label={`Download ${documentWords[row.document]} ${row.invoiceNumber ?? ''}`.trim()}
          />
        ),
    },
  ]
  if (found.data?.pagination.totalCount === 0) return null
  return (
    <section aria-labelledby="invoices" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 id="invoices" className="text-lg font-bold">
        Invoices <span className="text-sm font-normal text-ink-muted">Dates are in UTC</span>
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

const CREDITED = { label: 'Credited', tone: 'neutral' } as const
const documentWords = { invoice: 'invoice', credit_note: 'credit note', payment_request: 'payment request' } as const
const dayText = (day: string): string => dateOf(`${day}T00:00:00.000Z`, BILLING_ZONE)

function DownloadButton({ orgId, transactionId, label }: { orgId: string; transactionId: string; label: string }) {
  const { open, isOpening } = useDocument(orgId)
  return (
    <IconButton label={label} icon={<Download size={15} />} loading={isOpening} onClick={() => open(transactionId)} />
  )
}
