import type { Account } from '@benchwatch/contract/administration/administration'
import { MAX_ADDRESS_LENGTH } from '@benchwatch/contract/field-rules'
import { featureKeys } from '@benchwatch/contract/vocabulary'
import { Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isNotFound } from '../../lib/http.ts'
import { readAgain } from '../../lib/read-again.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import { FormSkeleton, RecordForm, useRecordForm } from '../../ui/form/record-form.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { PageHeader } from '../../ui/layout/page-frame.tsx'
import { showSuccess } from '../../ui/overlay/toasts.ts'
import { Fact, FactList } from '../../ui/text/fact.tsx'
import { ErrorState, FailedQuery, Notice } from '../../ui/text/notice.tsx'
import { StatusMark } from '../../ui/text/status-mark.tsx'
import { AccountActions } from './account-actions.tsx'
import { AccountFields } from './account-fields.tsx'
import {
  accountChange,
  accountFieldLabels,
  accountForm,
  accountName,
  accountProblems,
  accountState,
  emptyAccountForm,
  invitationProblems,
  newAccount,
  secondFactorLabel,
} from './account-form.ts'
import {
  accountQuery,
  type FlagValue,
  featureFlagsQuery,
  useInviteUser,
  useUpdateAccount,
} from './administration.api.ts'
import { featureLabels, useFlagChange } from './feature-flags.tsx'

const keysOfUsers = featureKeys.filter((key) => !featureLabels[key].isForDeploymentOnly)

/** Invites a user, who gets a temporary password by e-mail. `onInvited` and `onCancel` leave the screen. */
export function InviteUser(props: { onInvited: (id: string) => void; onCancel: () => void }) {
  const invite = useInviteUser()
  const form = useRecordForm({
    record: { email: '', ...emptyAccountForm },
    keepOnPage: 'invitation',
    problemsOf: ({ email, ...account }) => invitationProblems(account, email),
    save: async (values) => {
      const { email, ...fields } = values
      const account = await invite.mutateAsync(newAccount(fields, email))
      showSuccess({ title: `${account.userId} invited`, message: 'A temporary password was sent by e-mail.' })
      props.onInvited(account.id)
      return values
    },
  })
  return (
    <Card>
      <RecordForm form={form} saveLabel="Send invitation" discardLabel="Cancel" onCancel={props.onCancel}>
        <TextInput
          wrapperProps={{ 'data-wide': true }}
          label="E-mail address"
          description="This is the user ID. A temporary password, valid for 7 days, is sent to it."
          type="email"
          required
          autoComplete="off"
          spellCheck={false}
          autoFocus
          maxLength={MAX_ADDRESS_LENGTH}
          {...form.getInputProps('email')}
        />
        <AccountFields form={form} isOwn={false} />
      </RecordForm>
    </Card>
  )
}

/** One user: account, access, flags and actions. `ownId` is the id of the administrator who looks. */
export function AccountPage({ id, ownId, crumbs }: { id: string; ownId: string; crumbs: ReactNode }) {
  const account = useQuery(accountQuery(id))
  if (account.data === undefined)
    return (
      <>
        <PageHeader crumbs={crumbs} title="User" />
        {account.isPending ? <FormSkeleton label="Loading user…" fields={6} /> : <Unreadable account={account} />}
      </>
    )
  return <FoundAccount key={id} account={account.data} isOwn={id === ownId} crumbs={crumbs} />
}

function Unreadable({ account }: { account: { error: Error; refetch: () => unknown } }) {
  if (isNotFound(account.error))
    return <ErrorState title="User not found">Check the address, or look in the list of users.</ErrorState>
  return <FailedQuery title="Could not get user" query={account} />
}

function FoundAccount({ account, isOwn, crumbs }: { account: Account; isOwn: boolean; crumbs: ReactNode }) {
  const state = accountState(account)
  return (
    <>
      <PageHeader
        crumbs={crumbs}
        title={accountName(account)}
        note={account.name === null ? undefined : account.userId}
      />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing={14} style={{ alignItems: 'start' }}>
        <Stack gap={14}>
          <AccountCard account={account} isOwn={isOwn} />
          <Card title="Sign-in">
            <FactList>
              <Fact name="State">
                <StatusMark tone={state.tone}>{state.label}</StatusMark>
              </Fact>
              <Fact name="Second factor">{secondFactorLabel(account)}</Fact>
              <Fact name="Last signed in">
                {account.lastSignedInAt === null ? 'Never' : formatEventTime(account.lastSignedInAt)}
              </Fact>
              <Fact name="Added">{formatEventTime(account.createdAt)}</Fact>
            </FactList>
            <AccountActions account={account} isOwn={isOwn} />
          </Card>
        </Stack>
        <AccountFeatures account={account} />
      </SimpleGrid>
    </>
  )
}

function AccountCard({ account, isOwn }: { account: Account; isOwn: boolean }) {
  const client = useQueryClient()
  const update = useUpdateAccount()
  const form = useRecordForm({
    record: accountForm(account),
    keepOnPage: `account ${account.id}`,
    read: async () => {
      const now = await readAgain(client, accountQuery(account.id))
      return { record: accountForm(now), etag: now.etag }
    },
    problemsOf: accountProblems,
    save: async (values, _fresh, etag) => {
      const disabled = (client.getQueryData(accountQuery(account.id).queryKey) ?? account).state === 'disabled'
      const saved = await update.mutateAsync({ id: account.id, change: accountChange(values, { disabled }), etag })
      client.setQueryData(accountQuery(account.id).queryKey, saved)
      showSuccess({ title: `${accountName(saved)} saved`, message: 'Changes apply immediately.' })
      return accountForm(saved)
    },
  })
  return (
    <Card title="Account and access">
      <RecordForm form={form} labelOf={(field) => accountFieldLabels[field as keyof typeof accountFieldLabels]}>
        {account.isProvisioned && (
          <div data-wide>
            <Notice tone="info">
              The identity provider keeps name, role, customers and state of this account. Change them there; here, only
              the mobile number and codes by text message can be changed.
            </Notice>
          </div>
        )}
        <AccountFields form={form} isOwn={isOwn} />
      </RecordForm>
    </Card>
  )
}

/** Offers the flags that can be set for one user: on, off, or the deployment's value. */
export function AccountFeatures({ account }: { account: Account }) {
  const { data: flags } = useQuery(featureFlagsQuery())
  const { change, pendingKey } = useFlagChange()
  const holder = { kind: 'user', id: account.id, name: accountName(account) } as const
  return (
    <Card title="Feature flags">
      <Text c="dimmed" mb={8}>
        A user’s own value overrides the deployment’s. Changes apply immediately. Flags that apply only to the
        deployment are set under{' '}
        <Link to="/administration/features" style={{ textDecoration: 'underline' }}>
          Feature flags
        </Link>
        .
      </Text>
      <Stack component="ul" gap={6} m={0} p={0} style={{ listStyle: 'none' }}>
        {keysOfUsers.map((key) => {
          const own = account.features.find((feature) => feature.key === key)?.value ?? null
          const deployment = flags?.find((flag) => flag.key === key)
          const { title, effect } = featureLabels[key]
          const byDefault = deployment === undefined ? '' : deployment.value === 'true' ? ' (on)' : ' (off)'
          return (
            <Group component="li" key={key} justify="space-between" gap={12} wrap="nowrap" title={effect}>
              <Text component="label" htmlFor={`flag-${key}`}>
                {title}
              </Text>
              <NativeSelect
                id={`flag-${key}`}
                w={176}
                flex="none"
                value={own ?? ''}
                disabled={pendingKey === key}
                styles={{ input: own === null ? { color: 'var(--bw-ink-2)' } : { borderColor: 'var(--bw-accent)' } }}
                data={[
                  { value: '', label: `Default${byDefault}` },
                  { value: 'true', label: 'On' },
                  { value: 'false', label: 'Off' },
                ]}
                onChange={({ currentTarget }) => void change(key, (currentTarget.value || null) as FlagValue, holder)}
              />
            </Group>
          )
        })}
      </Stack>
    </Card>
  )
}
