import type { Profile } from '@benchwatch/contract/messages/profiles'
import { EVENT_ID, INSTALLED_PRODUCT_ID } from '@benchwatch/contract/patterns'
import type { User } from '@benchwatch/contract/users/users'
import { type LogType, logTypes } from '@benchwatch/contract/vocabulary'
import { NativeSelect, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '../../lib/folded.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import { SearchSelect } from '../../ui/form/search-select.tsx'
import { logLabel } from '../logs/log-labels.ts'
import { partTitles } from '../profiles/notification-form.ts'
import { foundUsers } from '../users/found-users.ts'
import { usersQuery } from '../users/users.api.ts'
import {
  type DeletionKind,
  foundEventQuery,
  foundInstrumentQuery,
  foundLinesQuery,
  foundProfilesQuery,
} from './backoffice.api.ts'
import { DeletionForm, subjectOfEvent, subjectOfInstrument } from './deletions.tsx'
import { InstrumentInput } from './tool-form.tsx'

const forms: Record<DeletionKind, () => React.JSX.Element> = {
  instrument: DeleteInstrument,
  event: DeleteEvent,
  log: DeleteLogLine,
  profile: DeleteProfile,
  user: DeleteUser,
}

/** One form for each kind that the user may delete. */
export function DeleteForGood({ kinds }: { kinds: readonly DeletionKind[] }) {
  return (
    <Stack gap={14} maw={980}>
      {kinds.map((kind) => {
        const Form = forms[kind]
        return <Form key={kind} />
      })}
    </Stack>
  )
}

function DeleteInstrument() {
  const [ipid, setIpid] = useState('')
  const found = useQuery({ ...foundInstrumentQuery(ipid), enabled: INSTALLED_PRODUCT_ID.test(ipid) })
  const instrument = ipid === '' || found.isError ? undefined : found.data
  const subject = instrument === undefined ? null : subjectOfInstrument(instrument)
  return (
    <DeletionForm kind="instrument" subject={subject} onDone={() => setIpid('')}>
      <div data-wide>
        <InstrumentInput
          label="Instrument"
          value={ipid}
          description={found.isError && ipid !== '' ? 'No instrument with this ID, or you can’t see it.' : undefined}
          onChange={setIpid}
        />
      </div>
    </DeletionForm>
  )
}

function DeleteEvent() {
  const [typed, setTyped] = useState('')
  const eventId = typed.trim().toUpperCase()
  const found = useQuery({ ...foundEventQuery(eventId), enabled: EVENT_ID.test(eventId) })
  const event = eventId === '' || found.isError ? undefined : found.data
  const subject = event === undefined ? null : subjectOfEvent(event)
  return (
    <DeletionForm kind="event" subject={subject} onDone={() => setTyped('')}>
      <TextInput
        label="Event ID"
        placeholder="ORC-104882"
        maxLength={22}
        autoComplete="off"
        spellCheck={false}
        description={found.isError && eventId !== '' ? 'Event could not be found.' : undefined}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </DeletionForm>
  )
}

function DeleteLogLine() {
  const [ipid, setIpid] = useState('')
  const [logType, setLogType] = useState<LogType>('VID')
  const [lineId, setLineId] = useState('')
  const lines = useQuery({ ...foundLinesQuery(ipid, logType), enabled: INSTALLED_PRODUCT_ID.test(ipid) })
  const options = ipid === '' || lines.isError ? [] : (lines.data ?? [])
  const line = options.find(({ _id }) => _id === lineId)
  const subject =
    line === undefined
      ? null
      : {
          id: line._id,
          name: `line ${line._id}`,
          facts: [
            { name: 'Time', value: formatEventTime(line._source['@timestamp']) },
            { name: 'Message', value: line._source.message.slice(0, 500) },
            { name: 'Module', value: line._source.module ?? '–' },
          ],
        }
  return (
    <DeletionForm kind="log" subject={subject} onDone={() => setLineId('')}>
      <InstrumentInput label="Instrument of the line" value={ipid} onChange={setIpid} />
      <NativeSelect
        label="Log"
        value={logType}
        data={logTypes.map((type) => ({ value: type, label: logLabel({ logType: type, computerName: null }) }))}
        onChange={({ currentTarget }) => setLogType(currentTarget.value as LogType)}
      />
      <NativeSelect
        wrapperProps={{ 'data-wide': true }}
        label="Line"
        description="The newest 50 of this log."
        disabled={options.length === 0}
        value={line === undefined ? '' : lineId}
        data={[
          { value: '', label: ipid !== '' && lines.isSuccess && options.length === 0 ? 'No lines' : 'Choose a line' },
          ...options.map(({ _id, _source }) => ({
            value: _id,
            label: `${formatEventTime(_source['@timestamp'])}  ${_source.message.slice(0, 120)}`,
          })),
        ]}
        onChange={({ currentTarget }) => setLineId(currentTarget.value)}
      />
    </DeletionForm>
  )
}

function DeleteProfile() {
  const [user, setUser] = useState<User | null>(null)
  const [id, setId] = useState('')
  const found = useQuery({ ...foundProfilesQuery(user?.id ?? ''), enabled: user !== null })
  const options = user === null || found.isError ? [] : (found.data ?? [])
  const profile = options.find((known) => known.id === id)
  const subject =
    user === null || profile === undefined
      ? null
      : {
          id: profile.id,
          name: partTitles[profile.profileType],
          facts: [
            { name: 'Owner', value: `${user.name}, ${user.email ?? 'no e-mail'}` },
            { name: 'Last changed', value: formatEventTime(profile.updatedAt) },
            { name: 'Settings', value: profileSummary(profile) },
          ],
        }
  return (
    <DeletionForm kind="profile" subject={subject} onDone={() => setId('')}>
      <UserInput label="Owner of the profile" value={user} onChange={setUser} />
      <NativeSelect
        label="Profile"
        disabled={options.length === 0}
        value={profile === undefined ? '' : id}
        data={[
          {
            value: '',
            label: user !== null && found.isSuccess && options.length === 0 ? 'None set' : 'Choose a profile',
          },
          ...options.map((known) => ({ value: known.id, label: partTitles[known.profileType] })),
        ]}
        onChange={({ currentTarget }) => setId(currentTarget.value)}
      />
    </DeletionForm>
  )
}

function DeleteUser() {
  const [user, setUser] = useState<User | null>(null)
  const subject =
    user === null
      ? null
      : {
          id: user.id,
          name: user.email ?? user.name,
          facts: [
            { name: 'Name', value: user.name },
            { name: 'E-mail', value: user.email ?? '–' },
          ],
        }
  return (
    <DeletionForm kind="user" subject={subject} onDone={() => setUser(null)}>
      <UserInput label="User" value={user} onChange={setUser} />
    </DeletionForm>
  )
}

/** Finds a user in the caller's scope by name and address. */
function UserInput(props: { label: string; value: User | null; onChange: (user: User | null) => void }) {
  const [search, setSearch] = useState('')
  const users = useQuery(usersQuery())
  const options = foundUsers(users.data ?? [], search)
  return (
    <SearchSelect
      label={props.label}
      text={props.value?.name ?? ''}
      options={options.map(({ id, name, email }) => ({ value: id, label: name, hint: email ?? undefined }))}
      isLoading={users.isPending}
      failed={users.isError}
      onSearch={setSearch}
      onChoose={(id) => props.onChange(users.data?.find((known) => known.id === id) ?? null)}
      onClear={() => props.onChange(null)}
    />
  )
}

/** Summarises in one line what is lost with a profile. */
export function profileSummary(profile: Profile): string {
  if (profile.profileType === 'email') {
    const own = profile.useNotificationEmail ? profile.notificationEmail : null
    return [profile.useDefaultEmail && 'Sign-in address', own].filter(Boolean).join(' and ') || '–'
  }
  const filters = Object.values(profile).filter((value) => Array.isArray(value) && value.length > 0).length
  const channels = [profile.notifyEmail && 'E-mail', profile.notifySms && 'SMS'].filter(Boolean).join(' and ')
  return `${channels || 'Nothing is sent'}, ${counted(filters, 'filter')}`
}
