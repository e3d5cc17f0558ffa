import type { ConnectionTemplateInput } from '@benchwatch/contract/instruments/connections'
import type { ConnectionEventKind, FeatureKey } from '@benchwatch/contract/vocabulary'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type CallInput, call, callTagged } from '../../lib/http.ts'
import { type ListSearch, pageQuery } from '../../lib/list/list-address.ts'

/** API calls of administration: users, feature flags, gateway keys, API tokens, connection templates. */

const root = ['administration'] as const

/** A page of users by name. */
export function accountsQuery(search: ListSearch) {
  return queryOptions({
    queryKey: [...root, 'accounts', search],
    queryFn: ({ signal }) => call('listAccounts', { query: pageQuery(search), signal }),
    placeholderData: keepPreviousData,
  })
}

/** One user, fetched again each time the page opens, so that the form does not start from stale values. */
export function accountQuery(id: string) {
  return queryOptions({
    queryKey: [...root, 'account', id],
    queryFn: ({ signal }) => callTagged('getAccount', { params: { id }, signal }),
    staleTime: 0,
  })
}

/** All flags with the deployment's value and the users' own values. */
export function featureFlagsQuery() {
  return queryOptions({
    queryKey: [...root, 'features'],
    queryFn: async ({ signal }) => (await call('listFeatureFlags', { signal })).values,
  })
}

/** Gateways report every 30 s, and at once when a link changes. */
const GATEWAY_POLL_MS = 10_000

/** A page of the gateways in scope by name. */
export function gatewaysQuery(search: ListSearch) {
  return queryOptions({
    queryKey: [...root, 'gateways', search],
    queryFn: ({ signal }) => call('listConnectedGateways', { query: pageQuery(search), signal }),
    placeholderData: keepPreviousData,
    refetchInterval: GATEWAY_POLL_MS,
  })
}

/** One gateway with its sources. ApiError 404 if it is not registered, or outside the user's customers. */
export function gatewayQuery(gateway: string) {
  return queryOptions({
    queryKey: [...root, 'gateway', gateway],
    queryFn: ({ signal }) => call('getConnectedGateway', { params: { gateway }, signal }),
    refetchInterval: GATEWAY_POLL_MS,
  })
}

export function gatewayKeysQuery(gateway: string) {
  return queryOptions({
    queryKey: [...root, 'gateway-keys', gateway],
    queryFn: async ({ signal }) => (await call('listGatewayKeys', { params: { gateway }, signal })).values,
  })
}

export function apiTokensQuery() {
  return queryOptions({
    queryKey: [...root, 'tokens'],
    queryFn: async ({ signal }) => (await call('listApiTokens', { signal })).values,
  })
}

/** Templates of the connection events, fetched again each time the forms open. */
export function connectionTemplatesQuery() {
  return queryOptions({
    queryKey: [...root, 'connection-templates'],
    queryFn: ({ signal }) => call('listConnectionTemplates', { signal }),
    staleTime: 0,
  })
}

export type NewAccount = CallInput<'inviteUser'>['body']
export type AccountChange = CallInput<'updateAccount'>['body']

/**
 * Refetches all of administration after a change, because flags appear on users and users on flags. The mutation stays
 * pending until then, so that no control falls back to the old value in between.
 */
function useAdministrationMutation<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ queryKey: root }),
  })
}

/**
 * Like useAdministrationMutation, for calls that return a secret. The secret is shown at once, because it cannot be
 * read again.
 */
function useSecretMutation<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => void client.invalidateQueries({ queryKey: root }),
    // The secret is dropped with the screen that showed it.
    gcTime: 0,
  })
}

export const useInviteUser = () => useAdministrationMutation((body: NewAccount) => call('inviteUser', { body }))

export const useUpdateAccount = () =>
  useAdministrationMutation(({ id, change, etag }: { id: string; change: AccountChange; etag?: string | undefined }) =>
    call('updateAccount', { params: { id }, body: change, ifMatch: etag }),
  )

export const useRepeatInvitation = () =>
  useAdministrationMutation((id: string) => call('repeatInvitation', { params: { id } }))

export const useUnlockAccount = () =>
  useAdministrationMutation((id: string) => call('unlockAccount', { params: { id } }))

export const useResetSecondFactor = () =>
  useAdministrationMutation((id: string) => call('resetSecondFactor', { params: { id } }))

export type FlagValue = 'true' | 'false' | null

export const useSetFeatureFlag = () =>
  useAdministrationMutation(({ key, value }: { key: FeatureKey; value: FlagValue }) =>
    call('setFeatureFlag', { params: { key }, body: { value } }),
  )

export const useSetUserFeatureFlag = () =>
  useAdministrationMutation(({ id, key, value }: { id: string; key: FeatureKey; value: FlagValue }) =>
    call('setUserFeatureFlag', { params: { id, key }, body: { value } }),
  )

export const useCreateGatewayKey = () =>
  useSecretMutation((gateway: string) => call('createGatewayKey', { params: { gateway } }))

export const useRevokeGatewayKey = () =>
  useAdministrationMutation((params: { gateway: string; id: string }) => call('revokeGatewayKey', { params }))

export type NewToken = CallInput<'createApiToken'>['body']

export const useCreateApiToken = () => useSecretMutation((body: NewToken) => call('createApiToken', { body }))

export const useRevokeApiToken = () =>
  useAdministrationMutation((id: string) => call('revokeApiToken', { params: { id } }))

export const usePutConnectionTemplate = () =>
  useAdministrationMutation(
    ({ kind, input, etag }: { kind: ConnectionEventKind; input: ConnectionTemplateInput; etag?: string | undefined }) =>
      call('putConnectionTemplate', { params: { kind }, body: input, ifMatch: etag }),
  )

export const useDeleteConnectionTemplate = () =>
  useAdministrationMutation((kind: ConnectionEventKind) => call('deleteConnectionTemplate', { params: { kind } }))
