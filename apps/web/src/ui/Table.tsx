import type { ReactNode } from 'react'
import styles from './Table.module.css'

/** A column: its heading, and each row's cell. */
export type Column<Row> = {
  heading: string
  /** For figures: right-aligned. */
  figure?: boolean
  /** Hides the heading, for a column of buttons. */
  silent?: boolean
  /** Hidden where only a few columns fit. */
  extra?: boolean
  cell: (row: Row) => ReactNode
}

/**
 * A table that hides its extra columns in little space, and becomes a list of cards with all columns, each value below
 * its heading, in less.
 */
export function Table<Row>(props: {
  /** The table's description for screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Highlights a row, for instance the best. */
  marked?: (row: Row) => boolean
  /** Greys out a row, for instance an unusable one. */
  faded?: (row: Row) => boolean
}) {
  return (
    <div className={styles['frame']}>
      <table className={styles['table']}>
        <caption className="unseen">{props.caption}</caption>
        <thead>
          <tr>
            {props.columns.map(({ heading, silent, ...look }) => (
              <th key={heading} scope="col" className={classOf(look)}>
                {silent ? <span className="unseen">{heading}</span> : heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <tr
              key={props.keyOf(row)}
              className={[props.marked?.(row) && styles['marked'], props.faded?.(row) && styles['faded']]
                .filter(Boolean)
                .join(' ')}
            >
              {props.columns.map(({ heading, silent, cell, ...look }) => (
                <td key={heading} data-heading={silent ? undefined : heading} className={classOf(look)}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function classOf({ figure, extra }: { figure?: boolean; extra?: boolean }): string | undefined {
  return [figure && styles['figure'], extra && styles['extra']].filter(Boolean).join(' ') || undefined
}
