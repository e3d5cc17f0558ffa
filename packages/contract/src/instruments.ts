import { z } from 'zod'
import { paths } from './paths.ts'
import { installedProductId, instant } from './primitives.ts'
import { route } from './route.ts'
import { instrumentStatuses } from './vocabulary.ts'

/** Instruments as the console asks for them beside events: wire 3. */

export const readInstrumentStatuses = route({
  ...paths.readInstrumentStatuses,
  summary: 'The status of up to 100 instruments now, by installed product id',
  body: z.strictObject({ instrumentInstalledProductIds: z.array(installedProductId).max(100) }),
  /** Ids that the scope does not hold are left out. */
  answer: z.record(z.string(), z.enum(instrumentStatuses)),
  errors: ['session-expired'],
  access: { kind: 'signed-in' },
})

export const linkedClients = z.object({
  /** In alphabetical order; none where nothing was told yet. */
  clientPcNames: z.array(z.string()),
  instrumentServerPcName: z.string().nullable(),
})
export type LinkedClients = z.output<typeof linkedClients>

export const getLinkedClients = route({
  ...paths.getLinkedClients,
  summary: 'The computers beside an instrument: the PCs of its clients, and the one of its instrument server',
  query: z.strictObject({ instrumentInstalledProductId: installedProductId }),
  answer: linkedClients,
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})

/** A gateway, with those of its instruments that the caller may see. */
export const edgeGateway = z.object({
  name: z.string(),
  instrumentIpids: z.array(z.string()),
  location: z.string().nullable(),
  lastSeenAt: instant.nullable(),
})
export type EdgeGateway = z.output<typeof edgeGateway>

export const getEdgeGateway = route({
  ...paths.getEdgeGateway,
  summary: 'The gateway of an instrument, or a gateway by its own installed product id',
  params: z.object({ id: installedProductId }),
  answer: edgeGateway,
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})
