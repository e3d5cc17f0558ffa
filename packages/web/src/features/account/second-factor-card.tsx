import type { SecondFactor } from '@benchwatch/contract/users/account'
import { Box, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Card } from '../../ui/layout/card.tsx'
import { FailedQuery } from '../../ui/text/notice.tsx'
import { SkeletonLine } from '../../ui/text/skeleton.tsx'
import { StatusMark } from '../../ui/text/status-mark.tsx'
import { secondFactorQuery } from './account.api.ts'
import styles from './account.module.css'
import { type SecondFactorChange, SecondFactorDialog } from './second-factor-dialog.tsx'

/** With this many codes left, the user should generate new ones. */
const FEW_CODES = 2

interface SecondFactorCardProps {
  /** The user's mobile number; null for none. */
  msisdn: string | null
  /** SMS options are shown only outside the China deployment (document 1 section 6). */
  hasSms: boolean
}

/** Shows the authenticator app, the recovery codes and SMS codes, with the actions to change them. */
export function SecondFactorCard(props: SecondFactorCardProps) {
  const factor = useQuery(secondFactorQuery())
  return (
    <Card title="Second factor">
      {factor.data !== undefined ? (
        factor.data.isManagedHere ? (
          <Factors {...props} factor={factor.data} />
        ) : (
          <Text c="dimmed">Your second factor is managed by your organisation’s sign-in. Change it there.</Text>
        )
      ) : factor.isError ? (
        <FailedQuery title="Could not get the second factor" query={factor} />
      ) : (
        <SkeletonLine width="220px" />
      )}
    </Card>
  )
}

function Factors({ factor, msisdn, hasSms }: SecondFactorCardProps & { factor: SecondFactor }) {
  const [change, setChange] = useState<SecondFactorChange | null>(null)
  const { totp, sms, recoveryCodesLeft } = factor
  return (
    <>
      <Row
        name="Authenticator app"
        mark={totp ? <StatusMark tone="good">On</StatusMark> : <StatusMark tone="off">Off</StatusMark>}
        hint={
          totp
            ? 'You sign in with your password and a code from the app.'
            : 'An app on your phone shows a new code every 30 seconds. This is the safest second factor.'
        }
      >
        {totp ? (
          <Button variant="default" onClick={() => setChange('remove')}>
            Remove
          </Button>
        ) : (
          <Button onClick={() => setChange('set-up')}>Set up</Button>
        )}
      </Row>
      {totp && (
        <Row
          name="Recovery codes"
          mark={
            <StatusMark tone={recoveryCodesLeft > FEW_CODES ? 'good' : 'warning'}>{recoveryCodesLeft} left</StatusMark>
          }
          hint="Use each code once to sign in without your app."
        >
          <Button variant="default" onClick={() => setChange('renew-codes')}>
            New codes
          </Button>
        </Row>
      )}
      {hasSms && (
        <Row
          name="Text message"
          mark={sms ? <StatusMark tone="good">On</StatusMark> : <StatusMark tone="off">Off</StatusMark>}
          hint={smsHint(factor, msisdn)}
        />
      )}
      {change !== null && <SecondFactorDialog change={change} onClose={() => setChange(null)} />}
    </>
  )
}

function smsHint({ sms, totp }: SecondFactor, msisdn: string | null): string {
  if (!sms) return 'An administrator can turn on codes by text message.'
  if (totp) return 'Not used while the authenticator app is on.'
  return msisdn === null ? 'Your account has no mobile number.' : `Codes go to ${msisdn}.`
}

function Row(props: { name: string; mark: ReactNode; hint: string; children?: ReactNode }) {
  return (
    <Group justify="space-between" gap="8px 14px" className={styles.row}>
      <Box flex="1 1 170px" miw={0}>
        <Group gap="3px 10px" fw={560}>
          {props.name} {props.mark}
        </Group>
        <Text c="dimmed">{props.hint}</Text>
      </Box>
      {props.children}
    </Group>
  )
}
