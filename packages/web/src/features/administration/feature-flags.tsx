import type { FeatureFlag } from '@benchwatch/contract/administration'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Card } from '../../ui/card.tsx'
import { DataTable, type TableColumn } from '../../ui/data-table.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Switch } from '../../ui/switch.tsx'
import { featureFlagsQuery } from './administration.api.ts'
import styles from './feature-flags.module.css'
import { featureWords } from './feature-words.ts'
import { useFlagChange } from './use-flag-change.ts'

/** More names than these are told as a number. */
const SHOWN_USERS = 3

/** Every flag: what it does, the deployment's value, and who has one of their own. */
export function FeatureFlags() {
  const flags = useQuery(featureFlagsQuery())
  const { change, pendingKey } = useFlagChange()
  const columns: TableColumn<FeatureFlag>[] = [
    {
      key: 'flag',
      label: 'Flag',
      width: '3fr',
      cell: ({ key }) => (
        <div className={styles.flag}>
          <span className={styles.title}>
            {featureWords[key].title} <code className={styles.key}>{key}</code>
          </span>
          <span className={styles.effect}>{featureWords[key].effect}</span>
        </div>
      ),
    },
    {
      key: 'deployment',
      label: 'Deployment',
      width: '150px',
      cell: ({ key, value }) => (
        <Switch
          label={featureWords[key].title}
          isOn={value === 'true'}
          isDisabled={pendingKey === key}
          onChange={(isOn) => void change(key, isOn ? 'true' : 'false', { kind: 'deployment' })}
        />
      ),
    },
    { key: 'users', label: 'Own values', width: '2fr', cell: ({ users }) => <OwnValues users={users} /> },
  ]
  return (
    <Card flush>
      {flags.isError && flags.data === undefined ? (
        <ErrorState title="Could not get feature flags" onRetry={() => void flags.refetch()}>
          {flags.error.message}
        </ErrorState>
      ) : (
        <DataTable
          label="Feature flags"
          columns={columns}
          rows={flags.data}
          rowKey={({ key }) => key}
          expectedRows={16}
        />
      )}
    </Card>
  )
}

function OwnValues({ users }: { users: FeatureFlag['users'] }) {
  if (users.length === 0) return <span className={styles.effect}>None</span>
  return (
    <span className={styles.users}>
      {users.slice(0, SHOWN_USERS).map(({ userId, name, value }) => (
        <Link key={userId} to="/administration/users/$userId" params={{ userId }}>
          {name}: {value === 'true' ? 'on' : 'off'}
        </Link>
      ))}
      {users.length > SHOWN_USERS && (
        <span title={users.map(({ name, value }) => `${name}: ${value === 'true' ? 'on' : 'off'}`).join('\n')}>
          and {users.length - SHOWN_USERS} more
        </span>
      )}
    </span>
  )
}
