import type { registryKinds } from '@benchwatch/contract/vocabulary'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, call } from '../../lib/http.ts'
import { type ListSearch, pageQuery } from '../../lib/list/list-address.ts'

/**
 * The door to the registry (wire 13). All kinds are read, listed and put in the same way, so the calls are typed as one
 * of them and the objects by what they share; `registry-fields.ts` says what each kind has.
 */

export type RegistryKind = (typeof registryKinds)[number]

export type RegistryValue = string | number | boolean | null
/** An object as the wire shows it. `key` names it in its kind. */
export type RegistryObject = { key: string } & Record<string, RegistryValue>

export interface RegistryPage {
  values: RegistryObject[]
  total: number
}

const routesOf = {
  customers: { list: 'listCustomers', get: 'getCustomer', put: 'putCustomer' },
  sites: { list: 'listSites', get: 'getSite', put: 'putSite' },
  contracts: { list: 'listContracts', get: 'getContract', put: 'putContract' },
  contacts: { list: 'listContacts', get: 'getContact', put: 'putContact' },
  instruments: { list: 'listRegisteredInstruments', get: 'getRegisteredInstrument', put: 'putInstrument' },
  gateways: { list: 'listGateways', get: 'getGateway', put: 'putGateway' },
  'event-templates': { list: 'listEventTemplates', get: 'getEventTemplate', put: 'putEventTemplate' },
} as const satisfies Record<RegistryKind, { list: string; get: string; put: string }>

const root = ['registry'] as const

export const registryKeys = {
  all: root,
  listOf: (kind: RegistryKind, search: ListSearch) => [...root, kind, 'list', search] as const,
  object: (kind: RegistryKind, key: string) => [...root, kind, 'object', key] as const,
}

/** A page of a kind by key; the keyword is looked for in key, name and references. */
export function registryListQuery(kind: RegistryKind, search: ListSearch) {
  return queryOptions({
    queryKey: registryKeys.listOf(kind, search),
    queryFn: async ({ signal }) =>
      (await call(routesOf[kind].list as 'listCustomers', { query: pageQuery(search), signal })) as RegistryPage,
    placeholderData: (previous: RegistryPage | undefined, query) =>
      // The page of another kind has other columns.
      query?.queryKey[1] === kind ? keepPreviousData(previous) : undefined,
  })
}

/** One object, read anew whenever it is opened. Errors: ApiError 404 where the key is not registered. */
export function registryObjectQuery(kind: RegistryKind, key: string) {
  return queryOptions({
    queryKey: registryKeys.object(kind, key),
    queryFn: async ({ signal }) =>
      (await call(routesOf[kind].get as 'getCustomer', { params: keyParams(kind, key), signal })) as RegistryObject,
    staleTime: 0,
  })
}

export interface RegistryPut {
  kind: RegistryKind
  key: string
  input: Record<string, RegistryValue>
}

/** Registers or replaces one object, and has everything of the registry read again: references show names of others. */
export function usePutRegistryObject() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ kind, key, input }: RegistryPut) =>
      (await call(routesOf[kind].put as 'putCustomer', {
        params: keyParams(kind, key),
        body: input as { name: string },
      })) as RegistryObject,
    onSuccess: (object, { kind, key }) => {
      client.setQueryData(registryKeys.object(kind, key), object)
      return client.invalidateQueries({ queryKey: registryKeys.all })
    },
  })
}

/** Whether a key is taken already: a form that creates must not replace what it never showed. */
export async function isRegistered(kind: RegistryKind, key: string): Promise<boolean> {
  try {
    await call(routesOf[kind].get as 'getCustomer', { params: keyParams(kind, key) })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false
    throw error
  }
}

export interface ImportFile {
  kind: RegistryKind
  mediaType: 'text/csv' | 'application/x-ndjson'
  content: string
}

/** Tells what an import would do (`dryRun`) or does it: all of the file or nothing. */
export function useImport() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ file, dryRun }: { file: ImportFile; dryRun: boolean }) =>
      call('importRegistry', { query: { kind: file.kind, dryRun }, body: file.content, mediaType: file.mediaType }),
    onSuccess: (_report, { dryRun }) => (dryRun ? undefined : client.invalidateQueries({ queryKey: registryKeys.all })),
  })
}

/** A template's key holds a slash, so it stands in a wildcard. */
function keyParams(kind: RegistryKind, key: string): { key: string } {
  return (kind === 'event-templates' ? { '*': key } : { key }) as { key: string }
}
