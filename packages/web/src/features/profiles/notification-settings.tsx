import { MAX_ADDRESS_LENGTH } from '@benchwatch/contract/field-rules'
import type {
  NotificationProfile,
  NotificationSettings,
  Profile,
  previewProfile,
} from '@benchwatch/contract/messages/profiles'
import type { RouteTypes } from '@benchwatch/contract/route'
import { type NotificationGate, type NotificationKind, notificationCategories } from '@benchwatch/contract/vocabulary'
import { Box, Button, Checkbox, Group, Paper, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { isSame } from '../../lib/draft.ts'
import { counted, reasonOf } from '../../lib/folded.ts'
import { call, type FieldProblems } from '../../lib/http.ts'
import { PRODUCT_NAME, pageSettings, productQuery } from '../../lib/page-settings.ts'
import { readAgain } from '../../lib/read-again.ts'
import { useSession } from '../../lib/session/session.ts'
import { FormSkeleton, type RecordForm, SaveBar, useLeaveGuard, useRecordForm } from '../../ui/form/record-form.tsx'
import { Switch } from '../../ui/form/switch.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { showFailure, showSuccess, type Toast } from '../../ui/overlay/toasts.ts'
import { Chevron } from '../../ui/text/chevron.tsx'
import { FailedQuery, Notice, RetryLine } from '../../ui/text/notice.tsx'
import { ShortEventTable } from '../events/details/short-event-table.tsx'
import { useViewer } from '../events/owner/use-viewer.ts'
import { meQuery } from '../users/users.api.ts'
import {
  chosenAddresses,
  type EmailForm,
  emailProblems,
  type FormPart,
  formParts,
  type NotificationForm,
  notificationForm,
  partSettings,
  partTitles,
  profileOf,
  profileSubjects,
  sendsAnything,
  tickOther,
} from './notification-form.ts'
import { ProfileFilters } from './profile-filters.tsx'
import { previewQuery, profilesQuery } from './profiles.api.ts'

/** Narrow enough to read as one form. */
const WIDTH = 1080

/** /settings: addresses and filters for notifications (document 2 section 2 "Settings"). */
export function NotificationSettings() {
  // Another window or device may have changed the profiles.
  const profiles = useQuery({ ...profilesQuery(), staleTime: 0 })
  if (profiles.data !== undefined) return <ProfilesForm profiles={profiles.data} />
  if (profiles.isPending)
    return (
      <Stack gap={14} maw={WIDTH}>
        <Intro />
        <FormSkeleton label="Loading addresses…" fields={2} />
        <FormSkeleton label="Loading profiles…" fields={8} />
      </Stack>
    )
  return <FailedQuery title="Could not get user profiles" query={profiles} />
}

function ProfilesForm({ profiles }: { profiles: readonly Profile[] }) {
  const { user } = useSession()
  const me = useQuery(meQuery()).data
  const product = useQuery(productQuery()).data
  const draft = useNotificationForm(profiles)
  const { isSaving } = draft
  const [isSubmitted, setSubmitted] = useState(false)
  useLeaveGuard(draft.isChanged)

  const form = draft.values
  const ownAddress = me?.email ?? user?.mail ?? ''
  const domains = pageSettings().companyEmailDomains
  const problems = emailProblems(form.email, { product: product?.product ?? PRODUCT_NAME, domains })
  // SMS options appear only when the deployment is known to have them.
  const sms = { isOffered: product?.deployment === 'global', number: me?.msisdn ?? null }

  function handleSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    flushSync(() => setSubmitted(true))
    event.currentTarget.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    if (Object.keys(problems).length === 0 && draft.isChanged) void draft.submit()
  }

  function discard() {
    draft.discard()
    setSubmitted(false)
  }

  return (
    <form onSubmit={handleSubmit} noValidate aria-label="Notifications">
      <Stack gap={14} maw={WIDTH}>
        <Intro />
        {draft.contested.length > 0 && (
          <Notice tone="warning">
            Changed in another window as well: {draft.contested.map((part) => partTitles[part as FormPart]).join(', ')}.
            Save overwrites it with your values; Cancel shows the saved values.
          </Notice>
        )}
        <MessageAddresses
          form={form.email}
          ownAddress={ownAddress}
          sms={sms}
          problems={problems}
          isSubmitted={isSubmitted}
          placeholder={`name@${domains[0] ?? 'company.example'}`}
          isSaving={isSaving}
          onChange={(edits) => draft.change({ email: { ...form.email, ...edits } })}
        />
        {(['new_event_notification', 'assign_me_notification'] as const).map((kind) => (
          <ProfileCard
            key={kind}
            kind={kind}
            saved={profileOf(profiles, kind)}
            settings={form[kind]}
            email={{ form: form.email, ownAddress }}
            sms={sms}
            isSaving={isSaving}
            onChange={(edits) => draft.change({ [kind]: { ...form[kind], ...edits } })}
          />
        ))}
        <SaveBar label="Save" discardLabel="Cancel" isApart form={{ ...draft, discard }} />
      </Stack>
    </form>
  )
}

function Intro() {
  return (
    <Group justify="space-between" align="baseline" gap="4px 32px">
      <Text c="dimmed" flex="1 1 480px" maw={820}>
        You get one notification per matching event. Above an hourly limit, notifications are combined into a digest.
        Notifications about an instrument in maintenance wait until the maintenance ends.
      </Text>
      <Text fw={560} py={4}>
        <Link to="/notifications">Notification history</Link>
      </Text>
    </Group>
  )
}

/** Edits the three profiles. Sends one request per changed profile; profiles that fail stay edits. */
function useNotificationForm(profiles: readonly Profile[]): RecordForm<NotificationForm> {
  const client = useQueryClient()
  const read = () => readAgain(client, profilesQuery())

  async function put(form: NotificationForm, part: FormPart) {
    const { id } = profileOf(client.getQueryData(profilesQuery().queryKey) ?? profiles, part)
    const saved = await call('updateProfile', { params: { id }, body: partSettings(form, part) })
    client.setQueryData(profilesQuery().queryKey, (known) => known?.map((one) => (one.id === id ? saved : one)))
  }

  return useRecordForm<NotificationForm>({
    record: notificationForm(profiles),
    keepOnPage: 'notification settings',
    // Another window may have saved in the meantime.
    read: async () => ({ record: notificationForm(await read()) }),
    save: async (form, fresh) => {
      const changed = formParts.filter((part) => !isSame(form[part], fresh[part]))
      const outcomes = await Promise.allSettled(changed.map((part) => put(form, part)))
      const failed = changed.flatMap((part, index) => {
        const outcome = outcomes[index]
        return outcome?.status === 'rejected' ? [{ part, reason: reasonOf(outcome.reason) }] : []
      })
      const saved = changed.filter((part) => failed.every((other) => other.part !== part))
      const { success, failures } = savingToasts({ saved, failed })
      if (success !== null) showSuccess(success)
      for (const failure of failures) showFailure(failure)
      const now = notificationForm(client.getQueryData(profilesQuery().queryKey) ?? profiles)
      return Object.fromEntries(saved.map((part) => [part, now[part]]))
    },
    onFailure: (reason) => showFailure({ title: 'Could not update profile', message: reason }),
  })
}

/** Returns the toasts after saving: one for all saved profiles, and one for each that failed (3-decisions 9). */
export function savingToasts(outcome: {
  saved: readonly FormPart[]
  failed: readonly { part: FormPart; reason: string }[]
}): { success: Toast | null; failures: Toast[] } {
  const { saved, failed } = outcome
  const message = saved.map((part) => partTitles[part]).join(', ')
  const title = saved.length > 1 ? 'Profiles updated successfully' : 'Profile update successful'
  return {
    success: saved.length > 0 ? { title, message } : null,
    failures: failed.map(({ part, reason }) => ({
      title: 'Could not update profile',
      message: `${partTitles[part]}: ${reason}`,
    })),
  }
}

/** One notification profile: channels, filters and preview. */
function ProfileCard(props: {
  kind: NotificationKind
  saved: NotificationProfile
  settings: NotificationSettings
  email: { form: EmailForm; ownAddress: string }
  sms: SmsWay
  isSaving: boolean
  onChange: (edits: Partial<NotificationSettings>) => void
}) {
  const { kind, settings, sms, isSaving, onChange } = props
  const addresses = chosenAddresses(props.email.form, props.email.ownAddress)
  const isNotifying = sendsAnything(settings, { hasSms: sms.isOffered })
  return (
    <Card title={partTitles[kind]}>
      <Text c="dimmed">{profileSubjects[kind]}</Text>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing={32} verticalSpacing={8} mt={12}>
        <Paper withBorder radius={8} p="6px 12px">
          <Switch
            label="E-mail"
            hint={addresses.length > 0 ? `To ${addresses.join(' and ')}` : 'No address is selected.'}
            isOn={settings.notifyEmail}
            isDisabled={isSaving}
            onChange={(notifyEmail) => onChange({ notifyEmail })}
          />
        </Paper>
        {sms.isOffered && (
          <Paper withBorder radius={8} p="6px 12px">
            <Switch
              label="Text message"
              hint={sms.number === null ? NO_NUMBER : `To ${sms.number}`}
              isOn={settings.notifySms}
              // A switch that is on can be turned off even without a number.
              isDisabled={isSaving || (sms.number === null && !settings.notifySms)}
              onChange={(notifySms) => onChange({ notifySms })}
            />
          </Paper>
        )}
      </SimpleGrid>
      <ProfileFilters
        title={partTitles[kind]}
        settings={settings}
        saved={props.saved}
        hindrance={isNotifying ? null : channelsOffHint(sms)}
        isSaving={isSaving}
        onChange={onChange}
      />
      <ProfilePreview profileId={props.saved.id} kind={kind} settings={settings} isNotifying={isNotifying} />
    </Card>
  )
}

function channelsOffHint({ isOffered }: SmsWay): string {
  return `Turn on ${isOffered ? 'e-mail or text message' : 'e-mail'} to choose the events.`
}

/** The deployment's support for text messages, and the user's number. */
interface SmsWay {
  isOffered: boolean
  number: string | null
}

/** Shown in place of a missing number. */
const NO_NUMBER = 'No mobile number yet. An administrator can add it to your account.'

/** E-mail addresses, and the mobile number, which only administrators can change. */
function MessageAddresses(props: {
  form: EmailForm
  /** The address that the user signs in with. */
  ownAddress: string
  sms: SmsWay
  problems: FieldProblems
  /** True once the user tried to save. Problems of untouched fields are then shown, too. */
  isSubmitted: boolean
  isSaving: boolean
  /** An example address for the other field. */
  placeholder: string
  onChange: (edits: Partial<EmailForm>) => void
}) {
  const { form, sms, problems, isSaving, onChange } = props
  const [isLeft, setLeft] = useState(false)
  const groupId = useId()
  const problemId = useId()

  return (
    <Card title={partTitles.email}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing={32} verticalSpacing={18}>
        <Stack gap={10} role="group" aria-labelledby={groupId} aria-describedby={problems.addresses && problemId}>
          <Text id={groupId} fw={560}>
            E-mail
          </Text>
          <Checkbox
            label="Default"
            description={props.ownAddress}
            checked={form.useDefaultEmail}
            disabled={isSaving}
            aria-invalid={problems.addresses !== undefined || undefined}
            onChange={({ currentTarget }) => onChange({ useDefaultEmail: currentTarget.checked })}
          />
          <Checkbox
            label="Other"
            description="Another company address"
            checked={form.useNotificationEmail}
            disabled={isSaving}
            onChange={({ currentTarget }) => {
              setLeft(false)
              onChange(tickOther(currentTarget.checked))
            }}
          />
          {form.useNotificationEmail && (
            <TextInput
              maw={360}
              // Aligned with the label of its checkbox.
              ml={30}
              aria-label="Other e-mail address"
              type="email"
              autoComplete="email"
              placeholder={props.placeholder}
              maxLength={MAX_ADDRESS_LENGTH}
              autoFocus={form.notificationEmail === ''}
              readOnly={isSaving}
              value={form.notificationEmail}
              error={(isLeft || props.isSubmitted) && problems.notificationEmail}
              onChange={({ currentTarget }) => onChange({ notificationEmail: currentTarget.value })}
              onBlur={() => setLeft(form.notificationEmail !== '')}
            />
          )}
          {problems.addresses !== undefined && (
            <Text id={problemId} c="var(--bw-danger)" role="alert">
              {problems.addresses}
            </Text>
          )}
        </Stack>
        {sms.isOffered && (
          <Stack gap={10}>
            <Text fw={560}>Text message</Text>
            <Text c={sms.number === null ? 'dimmed' : undefined}>{sms.number ?? NO_NUMBER}</Text>
          </Stack>
        )}
      </SimpleGrid>
    </Card>
  )
}

type PreviewAnswer = RouteTypes<typeof previewProfile>['answer']

const otherGates: Partial<Record<NotificationGate, { label: string; hint: string }>> = {
  'own-assignment': {
    label: 'your own assignment',
    hint: 'You are only notified about events that others assign to you.',
  },
  'alarm-test': {
    label: 'the alarm chain test',
    hint: 'Tests send no notifications. A missing test does.',
  },
  'under-review': {
    label: 'the review of their e-mail template',
    hint: 'Notifications start when the review is finished.',
  },
  'no-address': {
    label: 'a missing address or number',
    hint: 'Select an address above, or ask an administrator to add your mobile number.',
  },
}

/** "What would this have sent?" Loads when opened and then follows the edits. */
function ProfilePreview(props: {
  profileId: string
  kind: NotificationKind
  settings: NotificationSettings
  isNotifying: boolean
}) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <Box mt={14}>
      <Button
        variant="subtle"
        px={6}
        ml={-6}
        leftSection={<Chevron to={isOpen ? 'down' : 'right'} />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        What would this have sent?
      </Button>
      <div id={id} hidden={!isOpen}>
        {isOpen && <Preview {...props} />}
      </div>
    </Box>
  )
}

/** The debounce for edits. */
const PAUSE_MS = 500

function Preview(props: {
  profileId: string
  kind: NotificationKind
  settings: NotificationSettings
  isNotifying: boolean
}) {
  const viewer = useViewer()
  // Debounces the JSON text, because an equal but new object is not a change.
  const [debounced] = useDebouncedValue(JSON.stringify(props.settings), PAUSE_MS)
  const preview = useQuery(previewQuery(props.profileId, JSON.parse(debounced) as NotificationSettings))
  const found = preview.data
  const isStale = debounced !== JSON.stringify(props.settings) || preview.isPlaceholderData
  if (preview.isError && !preview.isFetching)
    return (
      <RetryLine onRetry={() => void preview.refetch()}>Could not get the preview. {preview.error.message}</RetryLine>
    )
  return (
    <>
      <Text fw={560} pt={6} pb={8} role="status">
        {found === undefined ? 'Checking the last 7 days…' : sentLabel(found)}
        {found !== undefined && isStale && (
          <Text span c="dimmed">
            {' '}
            Updating…
          </Text>
        )}
      </Text>
      {found?.sent === 0 ? (
        <Text c="dimmed">{emptyLabel(found, props)}</Text>
      ) : (
        // Scrolls, so that a long list does not push the rest of the form away.
        <Paper withBorder radius={8} mah={384} style={{ overflowY: 'auto' }}>
          <ShortEventTable rows={found?.values} viewer={viewer} showsInstrument isStale={isStale} />
        </Paper>
      )}
    </>
  )
}

/** '31 events in the last 7 days, the newest 20:' */
export function sentLabel({ sent, days, values }: Pick<PreviewAnswer, 'sent' | 'days' | 'values'>): string {
  const events = counted(sent, 'event')
  const newest = sent > values.length && values.length > 0 ? `, the newest ${values.length} of them:` : ''
  return `${events} in the last ${days} days${newest}`
}

/** Explains why nothing would have been sent: what excluded most events, and what to do. */
export function emptyLabel(
  { days, stopped }: Pick<PreviewAnswer, 'days' | 'stopped'>,
  { kind, isNotifying }: { kind: NotificationKind; isNotifying: boolean },
): string {
  if (!isNotifying) return 'No channel is on, so nothing would have been sent.'
  const all = stopped.reduce((sum, { events }) => sum + events, 0)
  const most = stopped[0]
  if (most === undefined)
    return kind === 'assign_me_notification'
      ? `No event was assigned to you in the last ${days} days.`
      : `No event that you can see was raised in the last ${days} days.`
  return `${stopLabel(most.gate, { events: most.events, all })} ${gateHint(most.gate)}`
}

function stopLabel(gate: NotificationGate, { events, all }: { events: number; all: number }): string {
  const share =
    events === all
      ? all === 1
        ? 'The only event was'
        : `All ${counted(all, 'event')} were`
      : `${events.toLocaleString('en')} of ${counted(all, 'event')} were`
  return `${share} excluded by ${gateLabel(gate)}.`
}

/** The name of a gate within a sentence. */
function gateLabel(gate: NotificationGate): string {
  const category = notificationCategories.find(({ key }) => key === gate)
  if (category !== undefined) return `the filter ${category.label}`
  return otherGates[gate]?.label ?? 'your access'
}

function gateHint(gate: NotificationGate): string {
  return otherGates[gate]?.hint ?? 'Select more values, or none, to include them.'
}
