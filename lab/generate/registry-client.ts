import type { CallInput, Client } from '@benchwatch/client/client'
import type { EventTemplateInput } from '@benchwatch/contract/registry'
import { instrumentTypes } from '@benchwatch/samples/equipment/instrument-type'
import { eventTemplates } from '@benchwatch/samples/event-templates'
import type { Keyed } from '@benchwatch/samples/registry-objects'
import type { BenchFleet } from './fleet.ts'

/** The number of objects in a file: some 3 MB of instruments. */
const OBJECTS_OF_A_FILE = 8000

/**
 * Registers a fleet over HTTP as other systems do, so that derived data (folded texts, locations, audit log) are the
 * product's own.
 */
export async function registerFleet(client: Client, fleet: BenchFleet): Promise<void> {
  await importAll(client, 'customers', fleet.customers)
  await importAll(client, 'sites', fleet.sites)
  await importAll(client, 'contracts', fleet.contracts)
  await importAll(client, 'contacts', fleet.contacts)
  await importAll(client, 'gateways', fleet.gateways)
  await importAll(client, 'event-templates', templates())
  await importAll(client, 'instruments', fleet.instruments)
}

async function importAll(
  client: Client,
  kind: CallInput<'importRegistry'>['query']['kind'],
  objects: readonly Keyed<object>[],
): Promise<void> {
  for (let start = 0; start < objects.length; start += OBJECTS_OF_A_FILE) {
    const lines = objects
      .slice(start, start + OBJECTS_OF_A_FILE)
      .map(({ key, input }) => JSON.stringify({ key, ...input }))
    const { errors } = await client.call('importRegistry', {
      query: { kind },
      body: lines.join('\n'),
      mediaType: 'application/x-ndjson',
    })
    if (errors.length > 0) throw new Error(`The registry refused ${kind}: ${JSON.stringify(errors.slice(0, 5))}`)
  }
}

/** Returns the samples' templates; types without any use those of another type. */
function templates(): Keyed<EventTemplateInput>[] {
  const known = eventTemplates()
  const typeOf = (key: string) => key.slice(0, key.indexOf('/'))
  const first = typeOf(known[0]?.key ?? '')
  const borrowed = instrumentTypes
    .filter((type) => !known.some(({ key }) => typeOf(key) === type))
    .flatMap((type) =>
      known
        .filter(({ key }) => typeOf(key) === first)
        .map(({ key, input }) => ({ key: `${type}${key.slice(key.indexOf('/'))}`, input })),
    )
  return [...known, ...borrowed]
}
