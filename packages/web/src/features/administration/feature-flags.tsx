import type { FeatureFlag } from '@benchwatch/contract/administration/administration'
import type { FeatureKey } from '@benchwatch/contract/vocabulary'
import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { reasonOf } from '../../lib/folded.ts'
import { Switch } from '../../ui/form/switch.tsx'
import { PageHeader } from '../../ui/layout/page-frame.tsx'
import type { Column } from '../../ui/list/list-columns.ts'
import { TableCard } from '../../ui/list/table-card.tsx'
import { confirm } from '../../ui/overlay/confirm.tsx'
import { showFailure, showSuccess } from '../../ui/overlay/toasts.ts'
import { type FlagValue, featureFlagsQuery, useSetFeatureFlag, useSetUserFeatureFlag } from './administration.api.ts'

/** Describes a feature flag as in 3-decisions 5. */
interface FeatureText {
  title: string
  effect: string
  /** Warns of effects that cannot be undone, before the flag is switched on. */
  warning?: string
  /** Replaces `warning` when the flag is switched on for one user. */
  userWarning?: string
  /** True if only the deployment's value counts (docs/flags.md). */
  isForDeploymentOnly?: true
}

export const featureLabels: Record<FeatureKey, FeatureText> = {
  ALLOW_ASSET_DELETE: {
    title: 'Delete instruments',
    effect: 'Support and administrators may delete instruments.',
    warning: 'Deleted instruments can’t be restored.',
  },
  ALLOW_EVENT_DELETE: {
    title: 'Delete events',
    effect: 'Support and administrators may delete service events.',
    warning: 'Deleted events can’t be restored.',
  },
  ALLOW_LOG_DELETE: {
    title: 'Delete log lines',
    effect: 'Support and administrators may delete lines of instrument logs.',
    warning: 'Deleted log lines can’t be restored.',
  },
  ALLOW_PROFILE_DELETE: {
    title: 'Delete profiles',
    effect: 'Support and administrators may delete notification profiles.',
    warning: 'Deleted profiles can’t be restored.',
  },
  ALLOW_USER_DELETE: {
    title: 'Delete users',
    effect: 'Support and administrators may delete users.',
    warning: 'Deleted users can’t be restored. Disable a user to keep them out.',
  },
  ASSET_USAGE: {
    title: 'Component usage',
    effect: 'Collects the usage of components, and shows it together with FETCH_INSTRUMENT_COMPONENTS.',
  },
  AUTO_EMAIL: {
    title: 'Automatic support e-mails',
    effect: 'Sends support e-mails to contacts automatically, and shows them on events and instruments.',
    warning: 'Contacts of customers will receive e-mails from now on.',
    userWarning: 'This user will see support e-mails on events and instruments. Sending e-mails is not affected.',
  },
  BACKOFFICE: { title: 'Back office', effect: 'Gives service, support and administrators access to the back office.' },
  CREATE_EVENTS_WITH_CONTRACT_ONLY: {
    title: 'Events under a contract only',
    effect:
      'Creates events only for instruments with a running contract. Other events are held back and listed in the back office.',
    isForDeploymentOnly: true,
  },
  EDGE_ISSUE_EVENT_CREATION: {
    title: 'Edge issue events',
    effect: 'Creates an event when a gateway stops reporting.',
    isForDeploymentOnly: true,
  },
  INSTRUMENT_OFFLINE_EVENT_CREATION: {
    title: 'Instrument offline events',
    effect: 'Creates an event when a gateway cannot reach an instrument.',
    isForDeploymentOnly: true,
  },
  INSTRUMENT_STATUS_TEMPLATE: {
    title: 'Template for lost connections',
    effect: 'Events about lost connections use the texts under ‘Connection events’ instead of the built-in ones.',
    isForDeploymentOnly: true,
  },
  NOTIFY_UNDER_REVIEW: {
    title: 'Notify under review',
    effect: 'Sends notifications and support e-mails for events whose template is under review, too.',
  },
  WEEKLY_ALARM_INJECTION: {
    title: 'Weekly test event',
    effect: 'Sends a marked test event through the whole alarm chain once a week, and checks that it arrives.',
    isForDeploymentOnly: true,
  },
  FETCH_INSTRUMENT_DAILY_RUNTIMES: { title: 'Daily run times', effect: 'Shows the daily run time of instruments.' },
  FETCH_INSTRUMENT_COMPONENTS: { title: 'Instrument components', effect: 'Shows the components of instruments.' },
}

/** Further users are shown as a number. */
const SHOWN_USERS = 3

/** /administration/features: feature flags of the deployment and of single users. */
export function FeaturesScreen() {
  return (
    <>
      <PageHeader
        title="Feature flags"
        note="A user’s own value overrides the deployment’s. Changes apply immediately."
      />
      <FeatureFlags />
    </>
  )
}

/** Lists the flags with their effect, the deployment's value and the users' own values. */
function FeatureFlags() {
  const flags = useQuery(featureFlagsQuery())
  const { change, pendingKey } = useFlagChange()
  const columns: Column<FeatureFlag>[] = [
    {
      key: 'flag',
      label: 'Flag',
      grow: 3,
      cell: ({ key }) => (
        <Stack gap={1} py={5}>
          <Group gap="0 10px" fw={590}>
            {featureLabels[key].title}{' '}
            <Text component="code" ff="monospace" fz={11} fw={400} c="var(--bw-ink-3)">
              {key}
            </Text>
          </Group>
          <Text c="dimmed">{featureLabels[key].effect}</Text>
        </Stack>
      ),
    },
    {
      key: 'deployment',
      label: 'Deployment',
      width: 150,
      cell: ({ key, value }) => (
        <Switch
          label={featureLabels[key].title}
          isOn={value === 'true'}
          isDisabled={pendingKey === key}
          onChange={(isOn) => void change(key, isOn ? 'true' : 'false', { kind: 'deployment' })}
        />
      ),
    },
    { key: 'users', label: 'User values', grow: 2, cell: (flag) => <OwnValues flag={flag} /> },
  ]
  return (
    <TableCard
      label="Feature flags"
      columns={columns}
      rowKey={({ key }) => key}
      expectedRows={16}
      answer={flags}
      failureTitle="Could not get feature flags"
    />
  )
}

function OwnValues({ flag: { key, users } }: { flag: FeatureFlag }) {
  if (featureLabels[key].isForDeploymentOnly) return <Text c="dimmed">Deployment only</Text>
  if (users.length === 0) return <Text c="dimmed">None</Text>
  return (
    <Group gap="2px 12px">
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
    </Group>
  )
}

/** The deployment, or the user whose flag is changed. */
type FlagHolder = { kind: 'deployment' } | { kind: 'user'; id: string; name: string }

/**
 * Changes a flag and shows the result. Asks for confirmation before switching on a flag that deletes or sends things.
 */
export function useFlagChange(): {
  change: (key: FeatureKey, value: FlagValue, holder: FlagHolder) => Promise<void>
  pendingKey: FeatureKey | null
} {
  const deploymentFlag = useSetFeatureFlag()
  const userFlag = useSetUserFeatureFlag()

  async function change(key: FeatureKey, value: FlagValue, holder: FlagHolder) {
    const { title, isForDeploymentOnly, userWarning, ...texts } = featureLabels[key]
    const forWhom =
      holder.kind === 'user'
        ? holder.name
        : isForDeploymentOnly
          ? 'the deployment'
          : 'all users without their own value'
    const mildWarning = holder.kind === 'user' ? userWarning : undefined
    const warning = mildWarning ?? texts.warning
    if (value === 'true' && warning !== undefined) {
      const message = `Turn on “${title}” for ${forWhom}? ${warning}`
      if (!(await confirm({ message, confirmLabel: 'Turn on', isDestructive: mildWarning === undefined }))) return
    }
    try {
      if (holder.kind === 'deployment') await deploymentFlag.mutateAsync({ key, value })
      else await userFlag.mutateAsync({ id: holder.id, key, value })
      const to = value === null ? 'follows the deployment' : value === 'true' ? 'is on' : 'is off'
      showSuccess({ title: `“${title}” ${to}`, message: `Applies to ${forWhom}.` })
    } catch (error) {
      showFailure({ title: `Could not change “${title}”`, message: reasonOf(error) })
    }
  }

  return {
    change,
    pendingKey: deploymentFlag.isPending
      ? deploymentFlag.variables.key
      : userFlag.isPending
        ? userFlag.variables.key
        : null,
  }
}
