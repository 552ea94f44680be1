// Why: docs/decisions/0059-screenshot-reviews.md
import { ServiceError } from '@firmquote/sdk'
import { useState } from 'react'
import { Banner } from '../ui/Banner.tsx'
import { Button } from '../ui/Button.tsx'
import { Disclosure } from '../ui/Disclosure.tsx'
import { Choice, Field } from '../ui/Field.tsx'
import { Amount, Rate } from '../ui/figures.tsx'
import { HeroFigure } from '../ui/HeroFigure.tsx'
import { Narrow } from '../ui/Narrow.tsx'
import { EmptyState, ErrorState, Notice } from '../ui/Notice.tsx'
import { Panel, Section } from '../ui/Panel.tsx'
import { RateChart } from '../ui/RateChart.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Stepper, type StepState } from '../ui/Stepper.tsx'
import { StickyBar } from '../ui/StickyBar.tsx'
import { Table } from '../ui/Table.tsx'
import { Tag } from '../ui/Tag.tsx'
import { Timeline } from '../ui/Timeline.tsx'
import { useToast } from '../ui/toasts.tsx'
import { ViewHead } from '../ui/ViewHead.tsx'
import { exampleRates } from './exampleRates.ts'
import styles from './Gallery.module.css'
import { LoadedExample } from './LoadedExample.tsx'

const token = { symbol: 'USDC', decimals: 6 }
const amount = (text: string) => BigInt(Math.round(Number(text) * 1e6))
const at = (text: string) => Date.parse(`${text}T12:00:00Z`) / 1000

const terms = [
  { value: 'nov', label: '28 Dec', detail: '6.31%' },
  { value: 'feb', label: '21 Feb', detail: '6.53%' },
  { value: 'may', label: '23 May', detail: '6.94%' },
  { value: 'nov27', label: '20 Nov 2027', detail: 'none yet', none: true },
]

const stateWords: Readonly<Record<StepState, string>> = {
  done: 'done',
  current: 'next',
  busy: 'under way',
  failed: 'failed',
  todo: 'later',
}

/** Shows every component in every state. */
export function Gallery() {
  const [term, setTerm] = useState('feb')
  const [failing, setFailing] = useState(false)
  return (
    <>
      <Banner title="The service does not answer">
        The page asks again every few seconds. What you see is 40 seconds old or older.
      </Banner>
      <main className={styles['main']}>
        <ViewHead title="Parts of the page">Each part that views are made of, with figures that are made up.</ViewHead>

        <Section title="Hero figures">
          <div className={styles['pair']}>
            <HeroFigure label="Fixed until 21 Feb 2027" tone="fixed" note="for 250,000 USDC">
              <Rate percent={6.53} />
            </HeroFigure>
            <HeroFigure label="You pay now" note="then nothing more, wherever floating goes">
              <Amount cost value={amount('4070.137')} token={token} />
            </HeroFigure>
            <HeroFigure label="Floating today" tone="floating">
              <Rate percent={6.25} />
            </HeroFigure>
            <HeroFigure label="You owe">
              <Amount value={amount('128450103.5')} token={token} />
            </HeroFigure>
          </div>
        </Section>

        <Section title="Floating and fixed, twelve months">
          <RateChart
            points={exampleRates}
            fixed={6.53}
            longestGap={2 * 86_400}
            words={{
              title: 'The floating rate of the last twelve months, with the fixed rate across it',
              floating: 'floating',
              fixed: 'fixed',
              slider: 'Day',
              unknown: 'not known',
            }}
          />
        </Section>

        <Narrow>
          <Panel title="Review" lead="One panel for one decision, 640 px.">
            <div className={styles['stack']}>
              <HeroFigure label="You pay now" note="to fix 250,000 USDC at 6.53% until 21 Feb 2027">
                <Amount cost value={amount('4070.137')} token={token} />
              </HeroFigure>
              <Choice legend="Term" options={terms} value={term} onChange={setTerm} />
              <Field label="Amount" hint="Two hundred fifty thousand USDC">
                {(ids) => <input {...ids} defaultValue="250,000" inputMode="decimal" />}
              </Field>
              <Field label="Amount" error="Is that 250 or 250,000? Write 250 or 250,000.">
                {(ids) => <input {...ids} defaultValue="250.000" inputMode="decimal" />}
              </Field>
              <div>
                <Disclosure title="Safe to take" note={failing ? '5 of 6' : '6 of 6'} open={failing}>
                  <p>Each of the six checks, with what was found.</p>
                </Disclosure>
                <Disclosure title="Details">
                  <p>Hashes, addresses and codes.</p>
                </Disclosure>
              </div>
              <Stepper
                label="Steps"
                stateWords={stateWords}
                steps={[
                  { name: 'allow', state: 'done', title: 'Allow', note: '4,070.14 USDC, not more' },
                  { name: 'permit', state: 'busy', title: 'Permit', note: 'Confirm it in your wallet' },
                  { name: 'take', state: 'todo', title: 'Take' },
                ]}
              />
              <Stepper
                label="Steps, one failed"
                stateWords={stateWords}
                steps={[
                  { name: 'allow', state: 'failed', title: 'Allow', note: 'You declined in your wallet' },
                  { name: 'take', state: 'current', title: 'Take' },
                ]}
              />
              <StickyBar summary={<Amount cost value={amount('4070.137')} token={token} />}>
                <Button look="main">Fix at 6.53%</Button>
              </StickyBar>
            </div>
          </Panel>
        </Narrow>

        <Section title="Timeline">
          <Timeline
            label="This position"
            now={at('2026-12-20')}
            nowWords="Today"
            events={[
              { name: 'opened', at: at('2026-11-22'), title: 'Fixed at 6.53%', children: 'You paid 4,070.14 USDC' },
              {
                name: 'accrued',
                at: at('2026-12-19'),
                title: 'Accrued so far',
                children: '1,198.63 USDC of floating interest',
              },
              {
                name: 'ends',
                at: at('2027-02-21'),
                title: 'The term ends',
                children: 'About 3,900 USDC is paid to you',
              },
            ]}
          />
        </Section>

        <Section title="Buttons and tags" aside={<a href="#aside">A link beside it</a>}>
          <div className={styles['row']}>
            <Button look="main">The one action</Button>
            <Button>Another</Button>
            <Button disabled>Not now</Button>
            <Button look="main" busy>
              Busy
            </Button>
            <Tag tone="firm">firm</Tag>
            <Tag tone="indicative">indicative</Tag>
            <Tag tone="bad">cannot be taken</Tag>
            <Button onClick={() => setFailing(true)}>Fail a check</Button>
          </div>
          <News />
        </Section>

        <Section title="Notices">
          <div className={styles['stack']}>
            <Notice title="Something to know">It is said in a sentence.</Notice>
            <Notice tone="warning" title="Something to watch">
              It may go wrong.
            </Notice>
            <ErrorState
              title="Could not load the markets"
              error={new ServiceError('OVERLOADED', 'The service is at its limit.', { status: 503, requestId: 'f3b1' })}
              onRetry={() => {}}
            />
            <EmptyState title="No fixed position yet" action={<Button look="main">Fix a rate</Button>}>
              Once you have taken an offer, it stands here.
            </EmptyState>
          </div>
        </Section>

        <Section title="Table">
          <Table
            caption="Terms"
            columns={[
              { heading: 'Term', cell: ({ label }) => label },
              { heading: 'Fixed rate', figure: true, cell: () => <Rate percent={6.53} tone="fixed" /> },
              { heading: 'Cost', figure: true, cell: () => <Amount cost value={amount('4070.137')} token={token} /> },
              {
                heading: 'Available',
                figure: true,
                extra: true,
                cell: () => <Amount value={amount('3000000')} token={token} />,
              },
              { heading: 'Offers', figure: true, extra: true, cell: () => 3 },
            ]}
            rows={terms}
            keyOf={({ value }) => value}
            marked={({ value }) => value === 'feb'}
          />
        </Section>

        <Section title="Loading">
          <div className={styles['stack']}>
            <div>
              <Skeleton rows={3} what="offers" />
            </div>
            <LoadedExample />
          </div>
        </Section>
      </main>
    </>
  )
}

function News() {
  const toast = useToast()
  return (
    <div className={styles['row']}>
      <Button onClick={() => toast({ name: 'tx', tone: 'pending', title: 'Sent', children: 'Waiting for its block' })}>
        Tell of a sending
      </Button>
      <Button onClick={() => toast({ name: 'tx', tone: 'good', title: 'Your rate is fixed' })}>
        Tell of a success
      </Button>
      <Button
        onClick={() =>
          toast({ name: 'other', tone: 'bad', title: 'It failed', children: 'Only the fee of the network was paid.' })
        }
      >
        Tell of a failure
      </Button>
    </div>
  )
}
