package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// decode64 accepts only the canonical encoding.
func decode64(text string) ([]byte, error) {
	decoded, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || base64.StdEncoding.EncodeToString(decoded) != text {
		return nil, errors.New("the text is not base64")
	}
	return decoded, nil
}

func decodeHash(text string) (hash tlog.Hash, err error) {
	decoded, err := decode64(text)
	if err != nil || copy(hash[:], decoded) != len(decoded) || len(decoded) != len(hash) {
		return hash, errors.New("the text is not a hash")
	}
	return hash, nil
}

func decodeHashes(texts []string) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(texts))
	for index, text := range texts {
		var err error
		if hashes[index], err = decodeHash(text); err != nil {
			return nil, err
		}
	}
	return hashes, nil
}

// witness verifies cosignatures: a time in 8 bytes, and a signature of the text after a line with the time.
type witness struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func (w *witness) Name() string    { return w.name }
func (w *witness) KeyHash() uint32 { return w.hash }
func (w *witness) Verify(message, signature []byte) bool {
	if len(signature) != 72 {
		return false
	}
	signed := fmt.Sprintf("cosignature/v1\ntime %d\n%s", timeOf(signature), message)
	return ed25519.Verify(w.key, []byte(signed), signature[8:])
}

func timeOf(signature []byte) uint64 { return binary.BigEndian.Uint64(signature) }

// parseKey parses `name+id+base64`. The bytes begin with 1 for a log and 4 for a witness.
func parseKey(text string) (note.Verifier, error) {
	parts := strings.SplitN(text, "+", 3)
	if len(parts) != 3 {
		return nil, errors.New("the key is malformed")
	}
	key, err := decode64(parts[2])
	if err != nil || len(key) != 33 {
		return nil, errors.New("the key is malformed")
	}
	if key[0] == 1 {
		return note.NewVerifier(text)
	}
	id := sha256.Sum256(append([]byte(parts[0]+"\n"), key...))
	if key[0] != 4 || fmt.Sprintf("%x", id[:4]) != parts[1] {
		return nil, errors.New("the key has an unknown type or another id")
	}
	return &witness{parts[0], binary.BigEndian.Uint32(id[:4]), key[1:]}, nil
}

// checkpoint is a verified tree head.
type checkpoint struct {
	tlog.Tree
	// The keys that signed, in the order of their lines, and the times of witnesses.
	signers []string
	times   map[string]uint64
	// Whether a line is not signed by one of the keys.
	hasOthers bool
}

// verifyCheckpoint verifies the signatures of the log, which is the first key, and of witnesses.
func verifyCheckpoint(signed string, keys []note.Verifier) (*checkpoint, error) {
	opened, err := note.Open([]byte(signed), note.VerifierList(keys...))
	if err != nil {
		return nil, err
	}
	all := append(append([]note.Signature{}, opened.Sigs...), opened.UnverifiedSigs...)
	lines := strings.Split(strings.TrimSuffix(signed[strings.LastIndex(signed, "\n\n")+2:], "\n"), "\n")
	// The library drops further signatures of a key, and accepts base64 with unused bits.
	if len(lines) != len(all) {
		return nil, errors.New("a key signed twice")
	}
	result := &checkpoint{times: map[string]uint64{}, hasOthers: len(opened.UnverifiedSigs) > 0}
	for _, signature := range all {
		if _, err := decode64(signature.Base64); err != nil {
			return nil, err
		}
	}
	for _, signature := range opened.Sigs {
		result.signers = append(result.signers, signature.Name)
		decoded, _ := decode64(signature.Base64)
		if signature.Name != keys[0].Name() {
			result.times[signature.Name] = timeOf(decoded[4:])
		}
	}
	if len(result.signers) == 0 || !contains(result.signers, keys[0].Name()) {
		return nil, errors.New("the checkpoint is not signed by the log")
	}
	text := strings.Split(opened.Text, "\n")
	if len(text) != 4 || text[0] != keys[0].Name() || text[3] != "" {
		return nil, errors.New("the checkpoint does not have three lines, or is of another log")
	}
	if result.N, err = parseSize(text[1]); err != nil {
		return nil, err
	}
	result.Hash, err = decodeHash(text[2])
	return result, err
}

func parseSize(text string) (int64, error) {
	size, err := strconv.ParseInt(text, 10, 54)
	if err != nil || size < 0 || strconv.FormatInt(size, 10) != text {
		return 0, errors.New("the number is malformed")
	}
	return size, nil
}

// verifyEntry verifies a proof that the log has an entry.
func verifyEntry(entry []byte, proof string, keys []note.Verifier) (*checkpoint, error) {
	head, signed, isFound := strings.Cut(proof, "\n\n")
	lines := strings.Split(head, "\n")
	if !isFound || len(lines) < 2 || lines[0] != "c2sp.org/tlog-proof@v1" || !strings.HasPrefix(lines[1], "index ") {
		return nil, errors.New("the text is not a proof of a log entry")
	}
	index, err := parseSize(strings.TrimPrefix(lines[1], "index "))
	if err != nil {
		return nil, err
	}
	path, err := decodeHashes(lines[2:])
	if err != nil {
		return nil, err
	}
	found, err := verifyCheckpoint(signed, keys)
	if err != nil {
		return nil, err
	}
	if index >= found.N {
		return nil, errors.New("the tree has no such leaf")
	}
	return found, tlog.CheckRecord(path, found.N, found.Hash, index, tlog.RecordHash(entry))
}

// stored implements tlog.TileReader with a map. This log's paths do not have the height of tiles.
type stored map[string][]byte

func (s stored) Height() int                         { return 8 }
func (s stored) SaveTiles(_ []tlog.Tile, _ [][]byte) {}
func (s stored) ReadTiles(tiles []tlog.Tile) (data [][]byte, err error) {
	for _, tile := range tiles {
		bytes, isFound := s[strings.Replace(tile.Path(), "tile/8/", "tile/", 1)]
		if !isFound || len(bytes) != tile.W*tlog.HashSize {
			return nil, fmt.Errorf("%s is missing or has another size", tile.Path())
		}
		data = append(data, bytes)
	}
	return data, nil
}

// verifyTiles verifies all tiles of hashes against the root, and the bundles of entries against those.
func verifyTiles(tree tlog.Tree, tiles stored) error {
	reader := tlog.TileHashReader(tree, tiles)
	root, err := tlog.TreeHash(tree.N, reader)
	if err != nil {
		return err
	}
	if root != tree.Hash {
		return errors.New("the tiles do not match the root")
	}
	for start := int64(0); start < tree.N; start += 256 {
		width := tree.N - start
		if width > 256 {
			width = 256
		}
		path := strings.Replace(tlog.Tile{H: 8, L: 0, N: start / 256, W: int(width)}.Path(), "tile/8/0/", "tile/entries/", 1)
		rest := tiles[path]
		for at := int64(0); at < width; at++ {
			if len(rest) < 2 || len(rest) < 2+int(binary.BigEndian.Uint16(rest)) {
				return errors.New("the bundle is too short")
			}
			size := int(binary.BigEndian.Uint16(rest))
			hashes, err := reader.ReadHashes([]int64{tlog.StoredHashIndex(0, start+at)})
			if err != nil {
				return err
			}
			if hashes[0] != tlog.RecordHash(rest[2:2+size]) {
				return fmt.Errorf("the entry %d is not the one that the tile has", start+at)
			}
			rest = rest[2+size:]
		}
		if len(rest) > 0 {
			return errors.New("the bundle is too long")
		}
	}
	return nil
}

// rootOf hashes a tree.
func rootOf(leaves []tlog.Hash) (tlog.Hash, error) {
	if len(leaves) == 0 {
		return sha256.Sum256(nil), nil
	}
	var all []tlog.Hash
	read := tlog.HashReaderFunc(func(indexes []int64) (hashes []tlog.Hash, _ error) {
		for _, index := range indexes {
			hashes = append(hashes, all[index])
		}
		return hashes, nil
	})
	for index, leaf := range leaves {
		added, err := tlog.StoredHashesForRecordHash(int64(index), leaf, read)
		if err != nil {
			return tlog.Hash{}, err
		}
		all = append(all, added...)
	}
	return tlog.TreeHash(int64(len(leaves)), read)
}

// saltedLeaf hashes a leaf of a transcript or of a batch of receipts.
func saltedLeaf(salt, record []byte) tlog.Hash {
	return tlog.RecordHash(bytes.Join([][]byte{salt, record}, nil))
}

func contains(names []string, name string) bool {
	for _, one := range names {
		if one == name {
			return true
		}
	}
	return false
}
