import { Group, Skeleton, Stack, Text, useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { PasswordCard } from '../../features/account/password-card.tsx'
import { SecondFactorCard } from '../../features/account/second-factor-card.tsx'
import { SessionsCard } from '../../features/account/sessions-card.tsx'
import { roleLabels } from '../../features/administration/account-form.ts'
import { CalendarsCard } from '../../features/calendars/calendars-card.tsx'
import { meQuery } from '../../features/users/users.api.ts'
import { productQuery } from '../../lib/page-settings.ts'
import { useSession } from '../../lib/session/session.ts'
import { formatZone } from '../../lib/time/dates.ts'
import { SegmentedControl } from '../../ui/form/segmented-control.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Fact, FactList } from '../../ui/text/fact.tsx'
import { FailedQuery } from '../../ui/text/notice.tsx'

/** /settings/account: the user's details, how they sign in, and settings of this device. */
export function AccountSettingsScreen() {
  return (
    <Stack gap={14} maw={720}>
      <Account />
      <SigningIn />
      <CalendarsCard />
      <Card title="Appearance">
        <Group justify="space-between" gap="10px 24px">
          <div>
            <Text fz="md">Theme</Text>
            <Text c="dimmed">Saved in this browser. Auto follows your system.</Text>
          </div>
          <ThemeChoice />
        </Group>
      </Card>
    </Stack>
  )
}

/** Password, second factor and sessions. Passwords of other identity providers are changed there. */
function SigningIn() {
  const { user } = useSession()
  const product = useQuery(productQuery()).data
  const me = useQuery(meQuery()).data
  return (
    <>
      {product?.provider === 'local' && user !== null && <PasswordCard userName={user.mail} />}
      <SecondFactorCard msisdn={me?.msisdn ?? null} hasSms={product?.deployment !== 'china'} />
      <SessionsCard />
    </>
  )
}

function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      label="Theme"
      value={colorScheme}
      options={[
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
        { value: 'auto', label: 'Auto' },
      ]}
      onChange={setColorScheme}
    />
  )
}

function Account() {
  const me = useQuery(meQuery())
  if (me.isError && me.data === undefined)
    return (
      <Card title="Account">
        <FailedQuery title="Could not get user" query={me} />
      </Card>
    )
  const facts: [string, string | undefined][] = [
    ['Name', me.data?.name],
    ['E-mail', me.data?.email],
    ['Mobile', me.data && (me.data.msisdn ?? '–')],
    ['Role', me.data && roleLabels[me.data.role]],
    ['Customers', me.data && (me.data.customers?.join(', ') ?? 'All customers')],
    ['Time zone', formatZone()],
  ]
  return (
    <Card title="Account">
      <FactList>
        {facts.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value ?? <Skeleton h={10} w={140} my={5} />}
          </Fact>
        ))}
      </FactList>
    </Card>
  )
}
