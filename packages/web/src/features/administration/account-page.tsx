import '@mantine/core/styles/Radio.layer.css'
import type { Account } from '@benchwatch/contract/administration/administration'
import { MAX_ADDRESS_LENGTH } from '@benchwatch/contract/field-rules'
import { featureKeys, roles } from '@benchwatch/contract/vocabulary'
import { Button, Checkbox, Group, NativeSelect, Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { reasonOf } from '../../lib/folded.ts'
import { isNotFound } from '../../lib/http.ts'
import { readAgain } from '../../lib/read-again.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import { FormSkeleton, RecordForm, useRecordForm } from '../../ui/form/record-form.tsx'
import { RemovablePill } from '../../ui/form/removable-pill.tsx'
import { SearchSelect } from '../../ui/form/search-select.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { PageHeader } from '../../ui/layout/page-frame.tsx'
import { confirm, type Question } from '../../ui/overlay/confirm.tsx'
import { showFailure, showSuccess } from '../../ui/overlay/toasts.ts'
import { Fact, FactList } from '../../ui/text/fact.tsx'
import { ErrorState, FailedQuery, Notice } from '../../ui/text/notice.tsx'
import { StatusMark } from '../../ui/text/status-mark.tsx'
import { useFoundObjects } from '../registry/registry.api.ts'
import { meQuery } from '../users/users.api.ts'
import {
  type AccountForm,
  accountChange,
  accountFieldLabels,
  accountForm,
  accountName,
  accountProblems,
  accountState,
  type ChosenCustomer,
  emptyAccountForm,
  invitationProblems,
  accountFieldLabels as labels,
  newAccount,
  roleLabels,
  secondFactorLabel,
} from './account-form.ts'
import {
  accountQuery,
  type FlagValue,
  featureFlagsQuery,
  useInviteUser,
  useRepeatInvitation,
  useResetSecondFactor,
  useUnlockAccount,
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

/**
 * Name, role, data scope, mobile number and SMS codes, for an invitation and for editing. `isOwn` is true for the
 * administrator's own account, whose role only another administrator can change.
 */
function AccountFields({ form, isOwn }: { form: RecordForm<AccountForm>; isOwn: boolean }) {
  // Nobody grants more than their own customers.
  const isLimited = Array.isArray(useQuery(meQuery()).data?.customers)
  return (
    <>
      <TextInput label={labels.name} required autoComplete="off" maxLength={120} {...form.getInputProps('name')} />
      <NativeSelect
        label={labels.role}
        disabled={isOwn}
        description={isOwn ? 'Only another administrator can change your role.' : undefined}
        data={roles.map((role) => ({ value: role, label: roleLabels[role] }))}
        {...form.getInputProps('role')}
      />
      <CustomerChoice
        mayHaveAll={form.values.role !== 'customer' && !isLimited}
        customers={form.values.customers}
        error={form.errors.customers}
        onChange={(customers) => form.change({ customers })}
      />
      <TextInput
        label={labels.msisdn}
        type="tel"
        autoComplete="off"
        placeholder="+46 70 555 01 01"
        maxLength={30}
        {...form.getInputProps('msisdn')}
      />
      <Checkbox
        pt={{ base: 0, sm: 31 }}
        label="Ask for an SMS code at sign-in"
        {...form.getInputProps('smsMfa', { type: 'checkbox' })}
      />
    </>
  )
}

/** The data scope of a user: all customers or chosen ones. */
function CustomerChoice(props: {
  customers: ChosenCustomer[] | null
  mayHaveAll: boolean
  error: ReactNode
  onChange: (customers: ChosenCustomer[] | null) => void
}) {
  const { customers, onChange } = props
  // Keeps the chosen customers while "All customers" is selected.
  const [chosen, setChosen] = useState(customers ?? [])
  const { objects, control } = useFoundObjects('customers')
  const options = objects
    .filter(({ key }) => customers?.some((one) => one.key === key) !== true)
    .map(({ key, name }) => ({ value: key, label: typeof name === 'string' ? name : key, hint: key }))

  function choose(next: ChosenCustomer[]) {
    setChosen(next)
    onChange(next)
  }

  return (
    <Radio.Group
      label="Customers"
      wrapperProps={{ 'data-wide': true }}
      value={customers === null ? 'all' : 'chosen'}
      error={customers === null && props.error}
      onChange={(scope) => onChange(scope === 'all' ? null : chosen)}
    >
      <Stack gap={9} mb={customers === null && props.error ? 6 : 0}>
        <Radio value="all" label="All customers" disabled={!props.mayHaveAll && customers !== null} />
        <Radio value="chosen" label="Chosen customers" />
        {customers !== null && (
          <Stack gap={9} pl={30}>
            {customers.length > 0 && (
              <Group component="ul" aria-label="Chosen customers" gap={6} m={0} p={0} style={{ listStyle: 'none' }}>
                {customers.map(({ key, name }) => (
                  <li key={key}>
                    <RemovablePill
                      label={name}
                      removeLabel={`Remove ${name}`}
                      onRemove={() => choose(customers.filter((other) => other.key !== key))}
                    />
                  </li>
                ))}
              </Group>
            )}
            <SearchSelect
              label="Add a customer"
              text=""
              placeholder="Search by name or key"
              {...control}
              options={options}
              error={props.error}
              onChoose={(key) => {
                const name = options.find(({ value }) => value === key)?.label ?? key
                choose([...customers, { key, name }])
              }}
            />
          </Stack>
        )}
      </Stack>
    </Radio.Group>
  )
}

interface Action {
  label: string
  question: Question | null
  run: () => Promise<unknown>
  done: string
}

/** Buttons for a user other than editing. Those that end or send something ask for confirmation. */
export function AccountActions({ account, isOwn }: { account: Account; isOwn: boolean }) {
  const client = useQueryClient()
  const update = useUpdateAccount()
  const repeat = useRepeatInvitation()
  const unlock = useUnlockAccount()
  const reset = useResetSecondFactor()
  const isPending = [update, repeat, unlock, reset].some((mutation) => mutation.isPending)
  const name = accountName(account)

  async function setDisabled(disabled: boolean) {
    // The update replaces every field, so it starts from the current values, not those of when the page was opened.
    const now = await readAgain(client, accountQuery(account.id))
    const change = accountChange({ ...accountForm(now), name: accountName(now) }, { disabled })
    return update.mutateAsync({ id: account.id, change, etag: now.etag })
  }

  const actions: (Action | false)[] = [
    account.state === 'locked' && {
      label: 'Unlock',
      question: null,
      run: () => unlock.mutateAsync(account.id),
      done: `${name} unlocked`,
    },
    !isOwn &&
      account.state !== 'disabled' && {
        label: account.state === 'invited' ? 'Send invitation again' : 'Send a new temporary password',
        question: {
          message: `E-mail ${name} a new temporary password? The current password stops working and all their sessions end.`,
          confirmLabel: 'Send',
        },
        run: () => repeat.mutateAsync(account.id),
        done: `Temporary password sent to ${account.userId}`,
      },
    account.totp && {
      label: 'Reset second factor',
      question: {
        message: `Remove the authenticator app and recovery codes of ${name}? Make sure that the request came from them.`,
        confirmLabel: 'Reset',
        isDestructive: true,
      },
      run: () => reset.mutateAsync(account.id),
      done: `Second factor of ${name} reset`,
    },
    !isOwn &&
      !account.isProvisioned &&
      account.state !== 'disabled' && {
        label: 'Disable',
        question: {
          message: `Disable ${name}? They are signed out everywhere and can’t sign in until they are enabled again.`,
          confirmLabel: 'Disable',
          isDestructive: true,
        },
        run: () => setDisabled(true),
        done: `${name} disabled`,
      },
    !account.isProvisioned &&
      account.state === 'disabled' && {
        label: 'Enable',
        question: { message: `Enable ${name}? They can then sign in again.`, confirmLabel: 'Enable' },
        run: () => setDisabled(false),
        done: `${name} enabled`,
      },
  ]

  async function handleAction({ question, run, done, label }: Action) {
    if (question !== null && !(await confirm(question))) return
    try {
      await run()
      showSuccess({ title: done })
    } catch (error) {
      showFailure({ title: `${label}: ${name} was not changed`, message: reasonOf(error) })
    }
  }

  const offered = actions.filter((action) => action !== false)
  if (offered.length === 0) return null
  return (
    <Group gap={8} mt={14}>
      {offered.map((action) => (
        <Button
          key={action.label}
          variant="default"
          disabled={isPending}
          c={action.question?.isDestructive ? 'var(--bw-danger)' : undefined}
          onClick={() => void handleAction(action)}
        >
          {action.label}
        </Button>
      ))}
    </Group>
  )
}
