import type { ReactNode } from 'react'
import styles from './Table.module.css'

/** A table column. */
export type Column<Row> = {
  heading: string
  /** Right-aligns the cells, for figures. */
  figure?: boolean
  /** Hides the column heading, for example above a column of buttons. */
  silent?: boolean
  /** Hides the column when space is limited. */
  extra?: boolean
  cell: (row: Row) => ReactNode
}

/**
 * A responsive table. In a narrow space, the table hides its extra columns. In an even narrower space, it becomes a
 * list of cards showing all columns, each value below its heading.
 */
export function Table<Row>(props: {
  /** The table's description for screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Whether to highlight a row, for example the best one. */
  marked?: (row: Row) => boolean
  /** Whether to grey out a row, for example an unusable one. */
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
