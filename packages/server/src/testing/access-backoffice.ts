import type { Scene } from './access-callers.ts'

/** Good requests of the tools of the support desk (`access-requests.ts`), about the instrument of customer A. */
export const backofficeRequests = {
  createBackofficeEvent: ({ app, world }: Scene) => ({
    body: {
      componentName: 'Pump B (P9-B)',
      description: 'Pressure above limit',
      userMessage: 'Look at the pump',
      severity: 'high',
      templateId: 'P9B-1042',
      alertType: 1,
      alertStatus: '1_NEW',
      alertSource: 'INSTRUMENT',
      alertId: 'by-hand',
      createdAt: app.clock.now().toISOString(),
      instrumentInstalledProductId: world.a.registered.instrument.key,
    },
  }),
  getBackofficeInstrumentStatus: ({ world }: Scene) => ({ query: { ipid: world.a.registered.instrument.key } }),
  setBackofficeInstrumentStatus: ({ world }: Scene) => ({
    body: {
      ipid: world.a.registered.instrument.key,
      instrumentStatus: 'ready' as const,
      orcStatus: 'Connected' as const,
      createOfflineEvent: false,
    },
  }),
  injectLog: ({ world }: Scene) => ({
    body: {
      logType: 'VID',
      message: 'Pump started',
      module: 'P9-B',
      instrumentInstalledProductId: world.a.registered.instrument.key,
    },
  }),
  listCustomerEmails: () => ({}),
  readUnicornPcNames: ({ world }: Scene) => ({
    body: { instrumentInstalledProductIds: [world.a.registered.instrument.key] },
  }),
} as const
