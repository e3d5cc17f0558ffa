import { EVENT_ID, INSTALLED_PRODUCT_ID } from '@benchwatch/contract/patterns'
import { alertStatusLabels, type LogType, logTypes } from '@benchwatch/contract/vocabulary'
import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatEventTime } from '../../lib/dates.ts'
import { folded } from '../../lib/folded.ts'
import { hintBelow } from '../../ui/hint-below.ts'
import { SearchSelect } from '../../ui/search-select.tsx'
import { logLabel } from '../logs/log-labels.ts'
import { usersQuery } from '../users/users.api.ts'
import styles from './backoffice.module.css'
import { DeletionForm } from './deletion-form.tsx'
import type { DeletionKind } from './deletion-words.ts'
import { foundEventQuery, foundInstrumentQuery, foundLinesQuery } from './deletions.api.ts'
import { InstrumentInput } from './instrument-input.tsx'

const forms: Record<DeletionKind, () => React.JSX.Element> = {
  instrument: DeleteInstrument,
  event: DeleteEvent,
  log: DeleteLogLine,
  profile: DeleteProfile,
  user: DeleteUser,
}

/** What the person may delete for good, one form for each. */
export function DeleteForGood({ kinds }: { kinds: readonly DeletionKind[] }) {
  return (
    <div className={styles.stack}>
      {kinds.map((kind) => {
        const Form = forms[kind]
        return <Form key={kind} />
      })}
    </div>
  )
}

function DeleteInstrument() {
  const [ipid, setIpid] = useState('')
  const found = useQuery({ ...foundInstrumentQuery(ipid), enabled: INSTALLED_PRODUCT_ID.test(ipid) })
  const instrument = ipid === '' || found.isError ? undefined : found.data
  const subject =
    instrument === undefined
      ? null
      : {
          id: instrument.id,
          name: instrument.instrumentInstalledProductId,
          facts: [
            { name: 'Instrument', value: instrument.instrumentProductDescription },
            { name: 'System name', value: instrument.instrumentDefinedSystemName ?? '–' },
            { name: 'Customer', value: instrument.instrumentCustomer },
            { name: 'Open events', value: instrument.eventCount.toLocaleString('en') },
          ],
        }
  return (
    <DeletionForm kind="instrument" subject={subject} onDone={() => setIpid('')}>
      <div data-wide>
        <InstrumentInput
          label="Instrument"
          value={ipid}
          description={found.isError && ipid !== '' ? 'No instrument that you see has this id.' : undefined}
          onChange={setIpid}
        />
      </div>
    </DeletionForm>
  )
}

function DeleteEvent() {
  const [written, setWritten] = useState('')
  const eventId = written.trim().toUpperCase()
  const found = useQuery({ ...foundEventQuery(eventId), enabled: EVENT_ID.test(eventId) })
  const event = eventId === '' || found.isError ? undefined : found.data
  const subject =
    event === undefined
      ? null
      : {
          id: event.id,
          name: `ORC-${event.eventId}`,
          facts: [
            { name: 'Description', value: event.description ?? '–' },
            { name: 'Instrument', value: event.instrumentInstalledProductId },
            { name: 'Customer', value: event.enterpriseName ?? '–' },
            { name: 'Status', value: alertStatusLabels[event.alertStatus] },
            { name: 'Raised', value: formatEventTime(event.createdAt) },
          ],
        }
  return (
    <DeletionForm kind="event" subject={subject} onDone={() => setWritten('')}>
      <TextInput
        label="Event id"
        placeholder="ORC-104882"
        maxLength={22}
        autoComplete="off"
        spellCheck={false}
        inputWrapperOrder={hintBelow}
        description={found.isError && eventId !== '' ? 'Event could not be found.' : undefined}
        value={written}
        onChange={({ currentTarget }) => setWritten(currentTarget.value)}
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
        inputWrapperOrder={hintBelow}
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
  const [id, setId] = useState('')
  const isId = /^\d{1,18}$/.test(id.trim())
  const subject = isId
    ? { id: id.trim(), name: `profile ${id.trim()}`, facts: [{ name: 'Profile', value: id.trim() }] }
    : null
  return (
    <DeletionForm kind="profile" subject={subject} onDone={() => setId('')}>
      <TextInput
        label="Profile id"
        inputMode="numeric"
        maxLength={18}
        autoComplete="off"
        inputWrapperOrder={hintBelow}
        description="The number that its owner reads with GET /profiles, or that the record names."
        value={id}
        onChange={({ currentTarget }) => setId(currentTarget.value)}
      />
    </DeletionForm>
  )
}

/** Options in one list; who does not find theirs types more of it. */
const PEOPLE = 25

function DeleteUser() {
  const [id, setId] = useState('')
  const [search, setSearch] = useState('')
  const users = useQuery(usersQuery())
  const user = users.data?.find((known) => known.id === id)
  const words = folded(search).split(/\s+/).filter(Boolean)
  const options = (users.data ?? [])
    .filter(({ name, email }) => words.every((word) => folded(`${name} ${email ?? ''}`).includes(word)))
    .slice(0, PEOPLE)
  const subject =
    user === undefined
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
    <DeletionForm kind="user" subject={subject} onDone={() => setId('')}>
      <SearchSelect
        label="User"
        text={user?.name ?? ''}
        options={options.map(({ id: value, name, email }) => ({ value, label: name, hint: email ?? undefined }))}
        isLoading={users.isPending}
        failed={users.isError}
        onSearch={setSearch}
        onChoose={setId}
        onClear={() => setId('')}
      />
    </DeletionForm>
  )
}
