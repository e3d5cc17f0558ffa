import type { EventTemplateInput } from '@benchwatch/contract/registry'
import { instrumentTypes } from '@benchwatch/samples/equipment/instrument-type'
import { eventTemplates } from '@benchwatch/samples/event-templates'
import type { Keyed } from '@benchwatch/samples/registry-objects'
import type { ApiClient } from '../product/api-client.ts'
import type { BenchFleet } from './fleet.ts'

/** The registry changes one object at a time, so two requests keep it busy. */
const AT_ONCE = 2

/**
 * Registers a fleet over HTTP as other systems do, so that derived data (folded texts, locations, audit log) are the
 * product's own. It takes some 250 objects a second.
 */
export async function registerFleet(api: ApiClient, fleet: BenchFleet): Promise<void> {
  await putAll(api, 'customers', fleet.customers)
  await putAll(api, 'sites', fleet.sites)
  await putAll(api, 'contracts', fleet.contracts)
  await putAll(api, 'contacts', fleet.contacts)
  await putAll(api, 'gateways', fleet.gateways)
  await putAll(api, 'event-templates', templates())
  if (fleet.instruments.length > PUT_AT_MOST) await importAll(api, 'instruments', fleet.instruments)
  else await putAll(api, 'instruments', fleet.instruments)
}

/** More instruments than this are imported by files, because one by one they would take minutes. */
const PUT_AT_MOST = 10_000
/** The number of objects in a file: some 3 MB of instruments. */
const OBJECTS_OF_A_FILE = 8000

async function importAll(api: ApiClient, kind: string, objects: readonly Keyed<object>[]): Promise<void> {
  for (let start = 0; start < objects.length; start += OBJECTS_OF_A_FILE) {
    const lines = objects
      .slice(start, start + OBJECTS_OF_A_FILE)
      .map(({ key, input }) => JSON.stringify({ key, ...input }))
    const answer = await api.sendText('POST', `/api/registry/v1/import?kind=${kind}`, {
      text: `${lines.join('\n')}\n`,
      type: 'application/x-ndjson',
    })
    if (answer.status !== 200)
      throw new Error(`The registry refused ${kind}: ${answer.status} ${answer.text.slice(0, 500)}`)
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

async function putAll(api: ApiClient, kind: string, objects: readonly Keyed<object>[]): Promise<void> {
  let next = 0
  const work = async () => {
    for (let object = objects[next++]; object; object = objects[next++]) {
      const key = object.key.split('/').map(encodeURIComponent).join('/')
      const answer = await api.send('PUT', `/api/registry/v1/${kind}/${key}`, object.input)
      if (answer.status !== 200 && answer.status !== 201) {
        throw new Error(`The registry refused ${kind} ${object.key}: ${answer.status} ${answer.text}`)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}
