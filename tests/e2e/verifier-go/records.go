package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
)

// The kinds of records.
const (
	openEntry    = 1
	closeEntry   = 2
	keyEntry     = 3
	openLeaf     = 17
	quoteLeaf    = 18
	closeLeaf    = 19
	acceptedLeaf = 33
	refusedLeaf  = 34
)

// The fields of each kind: their names, and their sizes in bytes. A text and a list have a length first.
type field struct {
	name string
	size int
}

const (
	text = -1
	list = -2
)

var layouts = map[byte][]field{
	openEntry:  {{"publicRfqId", 16}, {"openedAt", 8}, {"closesAt", 8}, {"openLeaf", 32}},
	closeEntry: {{"publicRfqId", 16}, {"closedAt", 8}, {"count", 4}, {"root", 32}},
	keyEntry:   {{"signer", 20}, {"at", 8}},
	openLeaf: {
		{"poolId", 32}, {"seriesKey", 32}, {"expiry", 8}, {"notional", 32}, {"minNotional", 32}, {"minDeadline", 8},
		{"flags", 1}, {"maxVrtAmount", 32}, {"taker", 20}, {"openedAt", 8}, {"closesAt", 8}, {"backers", 4},
	},
	quoteLeaf: {
		{"seq", 4}, {"hash", 32}, {"signature", 32}, {"maker", 20}, {"arrival", 8}, {"blockNumber", 8},
		{"blockHash", 32}, {"unproven", 1},
	},
	closeLeaf: {
		{"closedAt", 8}, {"rejectedCount", 4}, {"interrupted", 1}, {"selection", 2}, {"ranking", list}, {"best", list},
		{"notional", 32}, {"cost", 32},
	},
	acceptedLeaf: {
		{"publicRfqId", 16}, {"hash", 32}, {"maker", 20}, {"receivedAt", 8}, {"seq", 4}, {"leaf", 32},
	},
	refusedLeaf: {
		{"publicRfqId", 16}, {"hash", 32}, {"maker", 20}, {"at", 8}, {"code", text}, {"blockNumber", 8}, {"blockHash", 32},
	},
}

// record has the bytes of each field. A list's bytes follow its length.
type record map[string][]byte

func (r record) number(name string) uint64 { return r.big(name).Uint64() }

func (r record) big(name string) *big.Int { return new(big.Int).SetBytes(r[name]) }

func (r record) list(name string) (items []uint64) {
	for bytes := r[name]; len(bytes) > 0; bytes = bytes[4:] {
		items = append(items, uint64(binary.BigEndian.Uint32(bytes)))
	}
	return items
}

// decodeRecord decodes a record of one of the kinds, or of any kind if none is given.
func decodeRecord(bytes []byte, kinds ...byte) (record, error) {
	if len(bytes) == 0 || layouts[bytes[0]] == nil {
		return nil, errors.New("the record is of an unknown kind")
	}
	if len(kinds) > 0 && bytes[0] != kinds[0] {
		return nil, fmt.Errorf("the record is of kind %d, not %d", bytes[0], kinds[0])
	}
	decoded := record{}
	rest := bytes[1:]
	take := func(size int) []byte {
		if size > len(rest) {
			rest = nil
			return nil
		}
		taken := rest[:size]
		rest = rest[size:]
		return taken
	}
	for _, field := range layouts[bytes[0]] {
		size := field.size
		switch {
		case size == text && len(rest) >= 1:
			size = int(take(1)[0])
		case size == list && len(rest) >= 2:
			size = 4 * int(binary.BigEndian.Uint16(take(2)))
		}
		if size < 0 || size > len(rest) {
			return nil, errors.New("the record is too short")
		}
		decoded[field.name] = take(size)
		if field.size == text {
			for _, letter := range decoded[field.name] {
				if letter < ' ' || letter > '~' {
					return nil, errors.New("the text is not ASCII")
				}
			}
		}
	}
	if len(rest) > 0 {
		return nil, errors.New("the record is too long")
	}
	return decoded, nil
}
