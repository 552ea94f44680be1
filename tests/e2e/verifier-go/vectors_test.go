package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type tile struct{ Path, Bytes string }
type logProof struct{ Entry, Text string }

var vectors struct {
	Keys struct {
		Log, Witness struct{ Seed, Key string }
		Receipts     struct{ Address string }
	}
	Records []struct {
		Kind   int
		Fields map[string]any
		Bytes  string
	}
	Transcript struct {
		Secret, Root string
		Leaves       []struct{ Salt, Record, Hash string }
	}
	Trees []struct {
		Size                             int64
		Root                             string
		InclusionPaths, ConsistencyPaths [][]string
	}
	Log struct {
		Origin, Root, Checkpoint, CosignedText string
		Size                                   int64
		CosignedAt                             uint64
		Older                                  struct {
			Size int64
			Root string
		}
		ConsistencyPath []string
		Tiles           []tile
	}
	LogProof logProof
	Receipts []struct {
		BatchRoot, Digest string
		Receipt           receipt
	}
	Files     []string
	Mutations []struct {
		Of, What, Reason string
		Input            json.RawMessage
	}
}

func TestMain(m *testing.M) {
	must(0, json.Unmarshal(must(os.ReadFile("../../../docs/vectors/proofs.json")), &vectors))
	os.Exit(m.Run())
}

func must[Value any](value Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

func keys() []note.Verifier {
	return []note.Verifier{must(parseKey(vectors.Keys.Log.Key)), must(parseKey(vectors.Keys.Witness.Key))}
}

// judge verifies an input. The error says why it is refused.
func judge(of string, input json.RawMessage) error {
	var text string
	if of == "record" || of == "checkpoint" || of == "file" {
		must(0, json.Unmarshal(input, &text))
	}
	all := keys()
	isCosigned := func(found *checkpoint, err error) error {
		if err == nil && len(found.times) == 0 {
			return fmt.Errorf("no witness cosigned the checkpoint")
		}
		return err
	}
	switch of {
	case "record":
		_, err := decodeRecord(must(decode64(text)))
		return err
	case "tile":
		var replaced tile
		must(0, json.Unmarshal(input, &replaced))
		tiles := stored{}
		for _, tile := range append(vectors.Log.Tiles, replaced) {
			tiles[tile.Path] = must(decode64(tile.Bytes))
		}
		return verifyTiles(tlog.Tree{N: vectors.Log.Size, Hash: must(decodeHash(vectors.Log.Root))}, tiles)
	case "checkpoint":
		return isCosigned(verifyCheckpoint(text, all))
	case "logProof":
		var proof logProof
		must(0, json.Unmarshal(input, &proof))
		return isCosigned(verifyEntry(must(decode64(proof.Entry)), proof.Text, all))
	case "receipt":
		var given receipt
		must(0, json.Unmarshal(input, &given))
		signer, leaf, err := recoverReceipt(given)
		if err != nil {
			return err
		}
		if given.Log != vectors.Log.Origin || "0x"+hex.EncodeToString(signer) != vectors.Keys.Receipts.Address {
			return fmt.Errorf("the receipt is of another log, or not signed by its key")
		}
		_, err = decodeRecord(leaf)
		return err
	case "file":
		return verifyFile(text, policy{all[0], all[1:], 1})
	}
	panic("an unknown kind of input: " + of)
}

func accept(t *testing.T, of string, input any) {
	if err := judge(of, must(json.Marshal(input))); err != nil {
		t.Errorf("%s %v is refused: %v", of, input, err)
	}
}

func TestValid(t *testing.T) {
	for _, record := range vectors.Records {
		accept(t, "record", record.Bytes)
	}
	for _, tile := range vectors.Log.Tiles {
		accept(t, "tile", tile)
	}
	accept(t, "checkpoint", vectors.Log.Checkpoint)
	accept(t, "logProof", vectors.LogProof)
	for _, one := range vectors.Receipts {
		accept(t, "receipt", one.Receipt)
		digest := receiptHash(one.Receipt.Log, must(decodeHex(one.BatchRoot, 32)), one.Receipt.MergeBy)
		if "0x"+hex.EncodeToString(digest) != one.Digest {
			t.Errorf("the digest of %v is %x", one, digest)
		}
	}
	if len(vectors.Files) != 8 {
		t.Errorf("there are %d files", len(vectors.Files))
	}
	for _, file := range vectors.Files {
		accept(t, "file", file)
	}
}

func TestMutations(t *testing.T) {
	selections := 0
	for _, mutation := range vectors.Mutations {
		// This verifier does not choose the best quotes again.
		if mutation.Reason == "The best quotes do not follow from the quotes." {
			selections++
			continue
		}
		if err := judge(mutation.Of, mutation.Input); err == nil {
			t.Errorf("accepted, although: %s (%s)", mutation.Reason, mutation.What)
		}
	}
	if selections != 2 || len(vectors.Mutations) < 80 {
		t.Errorf("%d of %d mutations need the selection rules", selections, len(vectors.Mutations))
	}
}

func TestRecords(t *testing.T) {
	for _, vector := range vectors.Records {
		decoded := must(decodeRecord(must(decode64(vector.Bytes)), byte(vector.Kind)))
		if len(decoded) != len(vector.Fields) {
			t.Errorf("the record of kind %d has %d fields", vector.Kind, len(decoded))
		}
		for name, expected := range vector.Fields {
			shown := ""
			switch value := expected.(type) {
			case float64:
				expected, shown = strconv.FormatFloat(value, 'f', -1, 64), decoded.big(name).String()
			case []any:
				expected, shown = fmt.Sprint(value), fmt.Sprint(decoded.list(name))
			case string:
				shown = decoded.big(name).String()
				if name == "code" {
					shown = string(decoded[name])
				} else if strings.HasPrefix(value, "0x") {
					shown = "0x" + hex.EncodeToString(decoded[name])
				}
			}
			if shown != expected {
				t.Errorf("%s of kind %d is %s instead of %v", name, vector.Kind, shown, expected)
			}
		}
	}
}

func TestTranscript(t *testing.T) {
	var hashes []tlog.Hash
	for index, leaf := range vectors.Transcript.Leaves {
		salt := hmac.New(sha256.New, must(decodeHex(vectors.Transcript.Secret, 32)))
		must(0, binary.Write(salt, binary.BigEndian, uint32(index)))
		if !bytes.Equal(salt.Sum(nil)[:16], must(decode64(leaf.Salt))) {
			t.Errorf("the salt of leaf %d is another", index)
		}
		hash := saltedLeaf(must(decode64(leaf.Salt)), must(decode64(leaf.Record)))
		if hash.String() != leaf.Hash {
			t.Errorf("the hash of leaf %d is %s", index, hash)
		}
		hashes = append(hashes, hash)
	}
	if root := must(rootOf(hashes)); root.String() != vectors.Transcript.Root {
		t.Errorf("the root is %s", root)
	}
}

func TestTrees(t *testing.T) {
	for _, tree := range vectors.Trees {
		root := must(decodeHash(tree.Root))
		roots := []tlog.Hash{}
		var leaves []tlog.Hash
		for size := int64(0); size <= tree.Size; size++ {
			roots = append(roots, must(rootOf(leaves)))
			leaves = append(leaves, tlog.RecordHash([]byte(strconv.FormatInt(size, 10))))
		}
		if roots[tree.Size] != root {
			t.Errorf("the root of %d leaves is %s", tree.Size, roots[tree.Size])
		}
		for index, path := range tree.InclusionPaths {
			if err := tlog.CheckRecord(must(decodeHashes(path)), tree.Size, root, int64(index), leaves[index]); err != nil {
				t.Errorf("the path of leaf %d of %d is refused: %v", index, tree.Size, err)
			}
		}
		for from, path := range tree.ConsistencyPaths {
			// The library has no paths from an empty tree.
			if from == 0 {
				continue
			}
			if err := tlog.CheckTree(must(decodeHashes(path)), tree.Size, root, int64(from), roots[from]); err != nil {
				t.Errorf("the path from %d to %d is refused: %v", from, tree.Size, err)
			}
		}
	}
	log := vectors.Log
	path, root, older := must(decodeHashes(log.ConsistencyPath)), must(decodeHash(log.Root)), must(decodeHash(log.Older.Root))
	if err := tlog.CheckTree(path, log.Size, root, log.Older.Size, older); err != nil {
		t.Error(err)
	}
}

// Signs the checkpoint again from the seeds, so that the vectors contain nothing that their text does not explain.
func TestSignatures(t *testing.T) {
	text, _, _ := strings.Cut(vectors.Log.Checkpoint, "\n\n")
	text += "\n"
	if cosigned := fmt.Sprintf("cosignature/v1\ntime %d\n%s", vectors.Log.CosignedAt, text); cosigned != vectors.Log.CosignedText {
		t.Errorf("the cosigned text is %q", cosigned)
	}
	line := func(key, seed, signed string, prefix []byte) string {
		name, rest, _ := strings.Cut(key, "+")
		id, _, _ := strings.Cut(rest, "+")
		signature := ed25519.Sign(ed25519.NewKeyFromSeed(must(decodeHex(seed, 32))), []byte(signed))
		all := bytes.Join([][]byte{must(hex.DecodeString(id)), prefix, signature}, nil)
		return "— " + name + " " + base64.StdEncoding.EncodeToString(all) + "\n"
	}
	time := binary.BigEndian.AppendUint64(nil, vectors.Log.CosignedAt)
	note := text + "\n" + line(vectors.Keys.Log.Key, vectors.Keys.Log.Seed, text, nil) +
		line(vectors.Keys.Witness.Key, vectors.Keys.Witness.Seed, vectors.Log.CosignedText, time)
	if note != vectors.Log.Checkpoint {
		t.Errorf("the checkpoint is %q", note)
	}
}
