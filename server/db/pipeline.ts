import { Query, type ClientBase, type Connection, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg'

/** A connection that remembers which statements it prepared: what pg's Query writes down, and its types leave out. */
type Prepared = Connection & { submittedNamedStatements: Record<string, string> }

type Answer = (error: Error | null | undefined, result: QueryResult) => void

/** What a connection calls of its queries: there in pg's Query, and left out of its types. */
type Handled = {
  name: string | undefined
  text: string | undefined
  readonly portal: string
  submit(connection: Connection): void
  handleRowDescription(message: unknown): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: Prepared): void
  handleReadyForQuery(connection: Prepared): void
  handleError(error: Error, connection: Prepared): void
}
// the same class, said in full
const PgQuery = Query as unknown as new (text: string, values: unknown[] | undefined, answer: Answer) => Handled

/** A statement that ends without a Sync, which would commit it. */
class Part extends PgQuery {
  /** Sent in simple words, a statement would be a transaction of its own. */
  readonly queryMode = 'extended'

  constructor({ name, text, values }: QueryConfig, answer: Answer) {
    // a whole config would be copied key by key
    super(text, values, answer)
    this.name = name
  }

  /** Called by pg's Query for what follows Describe. */
  _getRows(connection: Connection): void {
    connection.execute({ portal: this.portal }, true)
  }
}

/**
 * A statement and one before it, sent together and ended by one Sync: PostgreSQL runs them as one transaction, without
 * being asked to begin or to commit one (PostgreSQL, Frontend/Backend Protocol, "Pipelining"). A Query by its class,
 * because in pipeline mode pg refuses others, for portals that stay open; here none does.
 */
class Pair extends Part {
  readonly #first: Part
  readonly #own: { name: string | undefined; text: string | undefined }
  #firstAnswered = false
  #over = false

  constructor(first: QueryConfig, second: QueryConfig, answers: readonly [Answer, Answer]) {
    super(second, answers[1])
    const { name, text } = this
    this.#own = { name, text }
    this.#first = new Part(first, (error, result) => {
      answers[0](error, result)
      if (!error) return
      this.#over = true
      answers[1](error, result)
    })
  }

  override submit(connection: Connection): void {
    connection.stream.cork()
    this.#first.submit(connection)
    // after a value that can't be sent pg closes with a Sync of its own
    if (!this.#over) super.submit(connection)
    if (!this.#over) connection.sync()
    connection.stream.uncork()
    // pg notes under its name what was prepared
    this.name = this.#first.name
    this.text = this.#first.text
  }

  override handleRowDescription(message: unknown): void {
    if (this.#firstAnswered) super.handleRowDescription(message)
    else this.#first.handleRowDescription(message)
  }

  override handleDataRow(message: unknown): void {
    if (this.#firstAnswered) super.handleDataRow(message)
    else this.#first.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, connection: Prepared): void {
    if (this.#firstAnswered) return super.handleCommandComplete(message, connection)
    this.#first.handleCommandComplete(message, connection)
    this.#firstAnswered = true
    this.name = this.#own.name
    this.text = this.#own.text
  }

  override handleReadyForQuery(connection: Prepared): void {
    this.#first.handleReadyForQuery(connection)
    super.handleReadyForQuery(connection)
  }

  /** What was answered before the failure keeps its answer; PostgreSQL skips what comes after. */
  override handleError(error: Error, connection: Prepared): void {
    this.#over = true
    if (this.#firstAnswered) this.#first.handleReadyForQuery(connection)
    else this.#first.handleError(error, connection)
    if (this.#own.name) delete connection.submittedNamedStatements[this.#own.name]
    super.handleError(error, connection)
  }
}

/**
 * Runs two statements as one transaction of their own, in one write and one round trip, and answers each: a good deal less
 * work on both sides than between a `begin` and a `commit`, see docs/api.md. For readings: the second may not need the
 * answer of the first. When the second is refused, the first answers and nothing of it is kept; when the first is, both
 * fail with its error. The client must be in pipeline mode and outside a transaction.
 */
export function sendPipelined(
  client: ClientBase,
  first: QueryConfig,
  second: QueryConfig,
): [Promise<QueryResult<QueryResultRow>>, Promise<QueryResult<QueryResultRow>>] {
  const [one, other] = [
    Promise.withResolvers<QueryResult<QueryResultRow>>(),
    Promise.withResolvers<QueryResult<QueryResultRow>>(),
  ]
  const settle =
    ({ resolve, reject }: typeof one): Answer =>
    (error, result) =>
      error ? reject(error) : resolve(result)
  const pair = new Pair(first, second, [settle(one), settle(other)])
  // a Query to pg, as its class says
  client.query(pair as unknown as Query)
  return [one.promise, other.promise]
}
