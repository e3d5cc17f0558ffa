import { queryOptions } from '@tanstack/react-query'
import { call } from './http.ts'

/** The product as this deployment has it. Neither call needs a session. */

/** Shown until the deployment's own name is known, and when it can't be had. */
export const PRODUCT_NAME = 'Benchwatch'

/** Name, identity provider and password rules. */
export function productQuery() {
  return queryOptions({
    queryKey: ['product'],
    queryFn: ({ signal }) => call('getAuthConfig', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Version and environment. */
export function versionQuery() {
  return queryOptions({
    queryKey: ['version'],
    queryFn: ({ signal }) => call('getHealth', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
