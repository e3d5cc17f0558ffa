import type { registryKinds } from '@benchwatch/contract/vocabulary'
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, call, callTagged, type Tagged } from '../../lib/http.ts'
import { type ListSearch, pageQuery } from '../../lib/list/list-address.ts'

/**
 * The entry point to the registry (wire 13). All kinds are read, listed and saved in the same way, so calls and
 * objects share one type; `registry-fields.ts` describes each kind.
 */

export type RegistryKind = (typeof registryKinds)[number]

export type RegistryValue = string | number | boolean | null
/** An object as on the wire. `key` is unique within its kind. */
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
  'instrument-families': {
    list: 'listRegisteredInstrumentFamilies',
    get: 'getInstrumentFamily',
    put: 'putInstrumentFamily',
    delete: 'deleteInstrumentFamily',
  },
  'instrument-types': {
    list: 'listRegisteredInstrumentTypes',
    get: 'getInstrumentType',
    put: 'putInstrumentType',
    delete: 'deleteInstrumentType',
  },
  instruments: { list: 'listRegisteredInstruments', get: 'getRegisteredInstrument', put: 'putInstrument' },
  gateways: { list: 'listGateways', get: 'getGateway', put: 'putGateway' },
  'event-templates': { list: 'listEventTemplates', get: 'getEventTemplate', put: 'putEventTemplate' },
} as const satisfies Record<RegistryKind, { list: string; get: string; put: string; delete?: string }>

const root = ['registry'] as const

/** Objects that a dropdown offers at once; typing more finds others. */
const OPTIONS = 25

/** A page of a kind by key. The keyword is searched in key, name and references. */
export function registryListQuery(kind: RegistryKind, search: ListSearch) {
  return queryOptions({
    queryKey: [...root, kind, 'list', search],
    queryFn: async ({ signal }) =>
      (await call(routesOf[kind].list as 'listCustomers', { query: pageQuery(search), signal })) as RegistryPage,
    placeholderData: (previous: RegistryPage | undefined, query) =>
      // The page of another kind has other columns.
      query?.queryKey[1] === kind ? keepPreviousData(previous) : undefined,
  })
}

/**
 * Finds objects for a `SearchSelect`, by any part of their key, name and references. Nothing is read before its field
 * gets the focus, because a form has up to five of them.
 */
export function useFoundObjects(kind: RegistryKind) {
  const [search, setSearch] = useState<string | null>(null)
  const found = useQuery({
    ...registryListQuery(kind, { keyword: search ?? '', page: 1, pageSize: OPTIONS }),
    enabled: search !== null,
  })
  const control = { isLoading: found.isFetching, failed: found.isError, onSearch: setSearch }
  return { objects: found.data?.values ?? [], control }
}

/** One object, read again each time it is opened. ApiError 404 if the key is not registered. */
export function registryObjectQuery(kind: RegistryKind, key: string) {
  return queryOptions({
    queryKey: [...root, kind, 'object', key],
    queryFn: async ({ signal }) =>
      (await callTagged(routesOf[kind].get as 'getCustomer', {
        params: keyParams(kind, key),
        signal,
      })) as Tagged<RegistryObject>,
    staleTime: 0,
  })
}

export interface RegistryPut {
  kind: RegistryKind
  key: string
  input: Record<string, RegistryValue>
  /** The ETag of the version that the change is based on. */
  etag?: string | undefined
}

/** Registers or replaces one object and invalidates all queries, because any screen may show it. */
export function usePutRegistryObject() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ kind, key, input, etag }: RegistryPut) =>
      (await call(routesOf[kind].put as 'putCustomer', {
        params: keyParams(kind, key),
        body: input as { name: string },
        ifMatch: etag,
      })) as RegistryObject,
    onSuccess: (object, { kind, key }) => {
      client.setQueryData(registryObjectQuery(kind, key).queryKey, object)
      return client.invalidateQueries()
    },
  })
}

type DeletableKind = 'instrument-families' | 'instrument-types'

/** Deletes one object. ApiError 409 with the reason if another object refers to it. */
export function useDeleteRegistryObject() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ kind, key }: { kind: DeletableKind; key: string }) =>
      call(routesOf[kind].delete, { params: { key } }),
    // The form of the deleted object is still shown, and must not read it again.
    onSuccess: () => void client.invalidateQueries({ refetchType: 'inactive' }),
  })
}

/** Returns true if a key is taken: a form for a new object must not replace an existing one. */
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

/** Checks an import (`dryRun`) or does it: the whole file or nothing. */
export function useImport() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ file, dryRun }: { file: ImportFile; dryRun: boolean }) =>
      call('importRegistry', { query: { kind: file.kind, dryRun }, body: file.content, mediaType: file.mediaType }),
    onSuccess: (_report, { dryRun }) => (dryRun ? undefined : client.invalidateQueries()),
  })
}

/** A template's key contains a slash, so it is sent as a wildcard. */
function keyParams(kind: RegistryKind, key: string): { key: string } {
  return (kind === 'event-templates' ? { '*': key } : { key }) as { key: string }
}
