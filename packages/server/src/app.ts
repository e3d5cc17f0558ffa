import { liveCloseCodes } from '@benchwatch/contract/live'
import { PAGE_SETTINGS_META, type PageSettings } from '@benchwatch/contract/page-settings'
import { CASE_NUMBER } from '@benchwatch/contract/patterns'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { startClickhouse } from './clickhouse/start-clickhouse.ts'
import type { Config } from './config.ts'
import { sealAudit } from './db/audit.ts'
import type { DatabaseHandle } from './db/connect.ts'
import { jobTask, startJobs } from './db/queues/jobs.ts'
import { startLeader } from './db/queues/leader.ts'
import { postgresBus } from './db/queues/live-bus.ts'
import { startLiveFeed } from './db/queues/live-feed.ts'
import { natsBus } from './db/queues/nats-bus.ts'
import { forgetPublished, publishWaiting } from './db/queues/publisher.ts'
import { QueuePosition } from './db/queues/queue-position.ts'
import { startLongReads } from './db/replica/long-reads.ts'
import { startEventIndex } from './event-index/index-search.ts'
import { registerAccountRoutes } from './features/account/account.routes.ts'
import { registerAdministrationRoutes } from './features/administration/administration.routes.ts'
import { authTasks } from './features/auth/auth.jobs.ts'
import { registerAuthRoutes } from './features/auth/auth.routes.ts'
import { createAttempts } from './features/auth/credentials/attempts.ts'
import { createProvider } from './features/auth/providers/provider.ts'
import { createAuthorise } from './features/auth/session/authorise.ts'
import {
  registerBackofficeRoutes,
  registerFeedRoutes,
  registerHeldBackRoutes,
} from './features/backoffice/backoffice.routes.ts'
import { feedTasks } from './features/backoffice/injection/injection.service.ts'
import { bulkChangeJobs, bulkChangeTasks } from './features/bulk-changes/bulk-changes.jobs.ts'
import { registerBulkChangeRoutes } from './features/bulk-changes/bulk-changes.routes.ts'
import { registerCalendarRoutes } from './features/calendars/calendars.routes.ts'
import { caseJobs, caseTasks } from './features/cases/cases.jobs.ts'
import { registerCaseRoutes } from './features/cases/cases.routes.ts'
import { createCaseDesk } from './features/cases/desks/desk-file.ts'
import { registerConnectionRoutes } from './features/connections/connections.routes.ts'
import { connectionTasks } from './features/connections/connections.service.ts'
import type { FeatureContext } from './features/context.ts'
import { registerDeletionRoutes } from './features/deletions/deletions.routes.ts'
import { deletionTasks } from './features/deletions/deletions.service.ts'
import { registerEventEmailRoutes } from './features/event-emails/event-emails.routes.ts'
import { sharedEventHooks } from './features/event-emails/share-event.service.ts'
import { registerServiceEventRoutes } from './features/events/events.routes.ts'
import { postgresSearch } from './features/events/search/postgres-search.ts'
import { createExportFiles } from './features/exports/export-link.ts'
import { exportJobs, exportTasks } from './features/exports/exports.jobs.ts'
import { registerExportRoutes } from './features/exports/exports.routes.ts'
import { registerHelpRoutes } from './features/help/help.routes.ts'
import { HELP_SITE, serveHelpSite } from './features/help/help-site.ts'
import { createGatewayAuthenticator } from './features/ingest/gateway-keys.ts'
import { registerIngestRoutes } from './features/ingest/ingest.routes.ts'
import { ingestTasks } from './features/ingest/ingest.service.ts'
import { registerInstrumentRoutes } from './features/instruments/instruments.routes.ts'
import { createBuiltInKpi, createKpiEmbedAccess, KPI_EMBED_FOLDER } from './features/kpi/built-in-kpi.ts'
import { registerKpiRoutes } from './features/kpi/kpi.routes.ts'
import { registerLiveRoutes } from './features/live/live.routes.ts'
import { createLiveDelivery, measureLive } from './features/live/live-delivery.ts'
import { logTasks } from './features/logs/logs.jobs.ts'
import { registerLogRoutes } from './features/logs/logs.routes.ts'
import { createPostgresLogs } from './features/logs/postgres-logs.queries.ts'
import { registerMaintenanceRoutes } from './features/maintenance/maintenance.routes.ts'
import { maintenanceTasks } from './features/maintenance/maintenance.service.ts'
import { createTransports } from './features/messages/message-transports.ts'
import { messageJobs, messageTasks } from './features/messages/messages.jobs.ts'
import { registerMessageRoutes } from './features/messages/messages.routes.ts'
import { createMessages } from './features/messages/messages.service.ts'
import { createOutboxAccess } from './features/messages/outbox-access.ts'
import { notificationHooks } from './features/notifications/notification-hooks.ts'
import { registerNotificationRoutes } from './features/notifications/notifications.routes.ts'
import { notificationTasks } from './features/notifications/notifying.service.ts'
import type { Messages } from './features/outgoing-messages.ts'
import { registerProfileRoutes } from './features/profiles/profiles.routes.ts'
import { registerRegistryRoutes } from './features/registry/registry.routes.ts'
import { registerScimRoutes } from './features/scim/scim.routes.ts'
import { scimTasks } from './features/scim/scim.service.ts'
import { supportEmailHooks, supportEmailTasks } from './features/support-emails/support-emails.jobs.ts'
import { registerSupportEmailRoutes } from './features/support-emails/support-emails.routes.ts'
import { readLogo } from './features/system/logo.ts'
import { measureProduct } from './features/system/product-metrics.ts'
import { registerSystemRoutes } from './features/system/system.routes.ts'
import { registerUnsubscribeRoutes } from './features/unsubscribe/unsubscribe.routes.ts'
import { unsubscribeTasks } from './features/unsubscribe/unsubscribe.service.ts'
import { usageTasks } from './features/usage/usage.jobs.ts'
import { registerUsageRoutes } from './features/usage/usage.routes.ts'
import { registerUserRoutes } from './features/users/users.routes.ts'
import { registerViewRoutes } from './features/views/views.routes.ts'
import { webhookJobs, webhookTasks } from './features/webhooks/webhooks.jobs.ts'
import { registerWebhookRoutes } from './features/webhooks/webhooks.routes.ts'
import type { Clock } from './platform/clock.ts'
import { Signal } from './platform/concurrency.ts'
import { createBind } from './platform/http/bind.ts'
import { answerNotFound } from './platform/http/error-handler.ts'
import { measureRequests, serveMetrics, startMetricsServer } from './platform/http/metrics-access.ts'
import { isOwnOrigin } from './platform/http/security-headers.ts'
import { createHttpServer } from './platform/http/server.ts'
import { serveWebApp } from './platform/http/web-app.ts'
import { LiveHub } from './platform/live/hub.ts'
import type { Log } from './platform/log.ts'
import type { Telemetry } from './platform/telemetry.ts'

interface Parts {
  config: Config
  database: DatabaseHandle
  clock: Clock
  log: Log
  version: string
  /** Folder of the built web app; absent if only the API is needed. */
  webRoot?: string
  /** Folder of the built help site; absent if it is not built. */
  helpRoot?: string
  /** Validates every answer against the contract; for tests. */
  checkAnswers?: boolean
}

export interface App {
  http: FastifyInstance
  /** Message transports and stores, for tests. */
  messages: Messages
  /** The port of the metrics server, if it runs. */
  metricsPort: number | null
  /** Lets the scheduled tasks run at once, for tests that move the clock. */
  wakeTasks(): void
  /** Stops accepting requests, lets in-flight ones finish, tells sockets to reconnect, and releases the leader lock. */
  stop(): Promise<void>
}

async function pageSettings(config: Config, caseDesk: string | null): Promise<PageSettings> {
  return {
    logo: await readLogo(config),
    copyright: config.copyright,
    supportEmail: config.supportEmail,
    companyEmailDomains: config.companyEmailDomains,
    caseNumberPattern: (config.caseNumberPattern ?? CASE_NUMBER).source,
    caseUrlHosts: config.caseUrlHosts,
    caseDesk,
    logDashboardUrl: config.logDashboardUrl,
    mapTilesUrl: config.mapTiles?.url ?? null,
    mapTilesAttribution: config.mapTiles?.attribution ?? '',
    testInstruments: config.testInstruments,
  }
}

/** Starts measuring the process only if the metrics can be read, because it takes timers and an observer. */
async function startMetrics(registry: Registry, { metrics: { port, host, token }, telemetry }: Config, log: Log) {
  if (port !== null || token !== null || telemetry !== null) collectDefaultMetrics({ register: registry })
  return port === null ? null : startMetricsServer({ registry, token }, { host, port, log })
}

/** Loads OpenTelemetry only if a collector is configured: its libraries take 0.1 s and 3 MB. */
async function openTelemetry(
  { telemetry, environment }: Config,
  parts: { registry: Registry; version: string; log: Log },
): Promise<Telemetry | null> {
  if (telemetry === null) return null
  const { startTelemetry } = await import('./platform/telemetry.ts')
  return startTelemetry({ ...telemetry, environment, ...parts })
}

/** Assembles the product; the only file that knows every feature. */
export async function createApp({
  config,
  database,
  clock,
  log,
  version,
  webRoot,
  helpRoot,
  checkAnswers,
}: Parts): Promise<App> {
  const { db, intake } = database
  const kpi = createBuiltInKpi({ db, clock })
  const http = await createHttpServer({
    log,
    trustProxy: config.trustProxy,
    product: config.product,
    version,
    checkAnswers: checkAnswers ?? false,
    imageOrigins: config.mapTiles === null ? [] : [config.mapTiles.origin],
    frameOrigins: kpi.frameOrigins,
    framedPaths: [`/${KPI_EMBED_FOLDER}/`, HELP_SITE],
  })
  const registry = new Registry()
  measureRequests(http, registry)
  const telemetry = await openTelemetry(config, { registry, version, log })
  telemetry?.traceRequests(http)
  const bus = config.natsUrl === null ? postgresBus(database) : await natsBus({ url: config.natsUrl, database, log })
  const hub = new LiveHub((subjects) => bus.listenTo(subjects))
  const authorise = createAuthorise({
    db,
    clock,
    config,
    authenticateGateway: createGatewayAuthenticator(intake),
    kpiEmbedCaller: createKpiEmbedAccess({ db, clock }),
    outboxAccess: createOutboxAccess(config),
  })
  const transports = await createTransports(config)
  const messages = createMessages({ db, clock, config, log, transports })
  const context: FeatureContext = { bind: createBind(authorise, clock), db, intake, clock, config, log, messages }
  const reads = await startLongReads({ database, replica: config.replica, log })
  const clickhouse = await startClickhouse({ config, database, reads, clock, log, fallback: postgresSearch })
  // With ClickHouse, the server does not hold the events in memory as well.
  const eventSearch =
    clickhouse?.search ??
    (config.eventIndex
      ? startEventIndex({ database, replica: config.replica, dataDir: config.dataDir, log })
      : postgresSearch)
  const logs = clickhouse?.logs ?? createPostgresLogs(db)
  const exporting = { ...context, database, reads, eventSearch, files: await createExportFiles(config, log) }
  const desk = await createCaseDesk(config)
  const creating = { db, clock, config, log, desk }
  const sending = {
    db,
    clock,
    config,
    log,
    transports,
    hooks: [...notificationHooks, sharedEventHooks, supportEmailHooks(context)],
  }

  registerSystemRoutes(http, { ...context, version, database, degraded: bus.degraded })
  const signingIn = { provider: await createProvider(context), attempts: createAttempts(context), hub }
  registerAuthRoutes(http, { ...context, ...signingIn })
  registerAccountRoutes(http, { ...context, ...signingIn })
  registerUserRoutes(http, context)
  registerProfileRoutes(http, context)
  registerNotificationRoutes(http, context)
  registerViewRoutes(http, context)
  registerCalendarRoutes(http, context)
  registerWebhookRoutes(http, context)
  registerServiceEventRoutes(http, { ...context, eventSearch, reads })
  registerBulkChangeRoutes(http, { ...context, eventSearch })
  registerCaseRoutes(http, { ...context, desk })
  registerEventEmailRoutes(http, context)
  registerExportRoutes(http, exporting)
  registerInstrumentRoutes(http, context)
  registerUsageRoutes(http, context)
  registerConnectionRoutes(http, context)
  registerMaintenanceRoutes(http, context)
  registerSupportEmailRoutes(http, context)
  registerUnsubscribeRoutes(http, context)
  registerLogRoutes(http, { ...context, logs })
  registerKpiRoutes(http, { ...context, kpi, reads })
  registerBackofficeRoutes(http, context)
  registerIngestRoutes(http, { ...context, registry })
  registerFeedRoutes(http, { ...context, reads })
  registerHeldBackRoutes(http, context)
  registerRegistryRoutes(http, context)
  registerAdministrationRoutes(http, context)
  await registerScimRoutes(http, context)
  registerMessageRoutes(http, context)
  registerDeletionRoutes(http, { ...context, logs })
  registerHelpRoutes(http, context)
  registerLiveRoutes(http, { db, hub, isOwnOrigin: (origin, host) => isOwnOrigin(config.publicUrl, { origin, host }) })
  if (helpRoot) await serveHelpSite(http, { ...context, root: helpRoot })
  serveMetrics(http, { registry, token: config.metrics.token })
  if (webRoot)
    await serveWebApp(http, {
      root: webRoot,
      product: config.product,
      settings: { name: PAGE_SETTINGS_META, content: await pageSettings(config, desk?.name ?? null) },
      pages: [KPI_EMBED_FOLDER],
    })
  // The default handler of Fastify would log full URLs.
  else http.setNotFoundHandler(answerNotFound)

  const deliver = createLiveDelivery({ db, hub, log })
  const measureDelivery = measureLive(registry, { hub, clock })
  const feed = await startLiveFeed({
    db,
    bus,
    deliver(broadcasts, from) {
      deliver(broadcasts)
      measureDelivery(broadcasts, from)
    },
    // Consoles reconnect, learn that they missed too much, and load everything again.
    onGap: () => hub.endAll(liveCloseCodes.deploy),
    log,
  })
  const position = new QueuePosition()
  const published = { toNotifications: new Signal(), toWebhooks: new Signal() }
  const leader = startLeader(
    database,
    [
      {
        name: 'publish live messages',
        everyMs: 100,
        busyMs: 20,
        async run() {
          const batch = await publishWaiting(db, position)
          if (!batch) return false
          for (const signal of Object.values(published)) signal.ring()
          await bus.publish(batch)
          return true
        },
      },
      jobTask(db),
      { name: 'seal the audit log', everyMs: 1000, run: () => sealAudit(db) },
      { name: 'delete old live messages', everyMs: 600_000, run: () => forgetPublished(db) },
      ...authTasks({ db, clock, config }),
      ...messageTasks(sending),
      ...supportEmailTasks(context),
      ...logTasks({ db, clock, config, log }),
      ...usageTasks(context),
      ...maintenanceTasks(context),
      ...connectionTasks(context),
      ...feedTasks(context),
      ...ingestTasks(context),
      ...unsubscribeTasks(context),
      ...deletionTasks(context),
      ...scimTasks(context),
      ...notificationTasks(context, published.toNotifications),
      ...webhookTasks(context, published.toWebhooks),
      ...bulkChangeTasks(context),
      ...caseTasks(creating),
      ...exportTasks(exporting),
      ...(clickhouse?.tasks ?? []),
    ],
    log,
  )
  const handlers = [
    ...messageJobs(sending),
    ...bulkChangeJobs(context),
    ...caseJobs(creating),
    ...exportJobs(exporting),
    ...webhookJobs(context),
  ]
  const jobs = startJobs(database, telemetry ? handlers.map(telemetry.traceJob) : handlers, log)
  measureProduct(registry, {
    db,
    clock,
    log,
    isLeading: leader.isLeading,
    pool: () => ({
      total: database.pool.totalCount,
      idle: database.pool.idleCount,
      waiting: database.pool.waitingCount,
    }),
    search: () => eventSearch.state(),
    replica: () => reads.replica(),
    degraded: bus.degraded,
  })
  const metricsServer = await startMetrics(registry, config, log)
  return {
    http,
    messages,
    metricsPort: metricsServer?.port ?? null,
    wakeTasks: leader.wakeTasks,
    async stop() {
      hub.close(liveCloseCodes.deploy)
      await http.close()
      await metricsServer?.stop()
      await feed.stop()
      await eventSearch.stop()
      await leader.stop()
      await clickhouse?.stop()
      await jobs.stop()
      await reads.stop()
      transports.mailer?.close()
      await telemetry?.stop()
    },
  }
}
