import type { FastifyInstance } from 'fastify'
import { Gauge, Histogram, Registry } from 'prom-client'
import type { Databases } from './db/pools.ts'

/** Anything with current numbers by name: each is a gauge, read when /metrics is requested. */
export type Stats = Record<string, number>

export type Metrics = {
  /** Shows the numbers as `rookery_<prefix>_<name>`. Names in camelCase become snake_case. */
  show(prefix: string, help: string, read: () => Stats): void
  /** Counts and times the app's requests by route. */
  watch(app: FastifyInstance): void
  text(): Promise<string>
}

/** The figures of this process for Prometheus. Nothing in them belongs to a tenant. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const requests = new Histogram({
    name: 'rookery_http_request_seconds',
    help: 'Time from a request to its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 1, 5],
    registers: [registry],
  })
  const metrics: Metrics = {
    show(prefix, help, read) {
      for (const name of Object.keys(read())) {
        const gauge: Gauge = new Gauge({
          name: `rookery_${prefix}_${snake(name)}`,
          help: `${help}: ${name}`,
          registers: [],
          collect: () => gauge.set(read()[name] ?? 0),
        })
        registry.registerMetric(gauge)
      }
    },
    watch(app) {
      app.addHook('onResponse', async (request, reply) => {
        // the pattern, never the address: ids would make a series each
        requests.observe(
          { method: request.method, route: request.routeOptions.url ?? 'other', status: reply.statusCode },
          reply.elapsedTime / 1000,
        )
      })
    },
    text: () => registry.metrics(),
  }
  metrics.show('process', 'This process', () => ({
    residentBytes: process.memoryUsage.rss(),
    uptimeSeconds: Math.round(process.uptime()),
  }))
  return metrics
}

/** Connections of each pool. */
export function poolStats({ web, background, exports, system, publishing, jobs }: Databases): Stats {
  const pools = Object.entries({ web, background, exports, system, publishing, jobs })
  return Object.fromEntries(
    pools.flatMap(([name, pool]) => [
      [`${name}Open`, pool.totalCount],
      [`${name}Waiting`, pool.waitingCount],
    ]),
  )
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
