package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"sort"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// The types of proof files. A file's only encoding has the fields in this order.

type header struct {
	Type string   `json:"type"`
	Keys []string `json:"keys"`
}

type provenEntry struct {
	Record string `json:"record"`
	Proof  string `json:"proof"`
}

type opening struct {
	Salt   string `json:"salt"`
	Record string `json:"record"`
}

type receipt struct {
	Log       string   `json:"log"`
	MergeBy   uint64   `json:"mergeBy"`
	Signature string   `json:"signature"`
	Index     uint64   `json:"index"`
	Path      []string `json:"path"`
	Salt      string   `json:"salt"`
	Leaf      string   `json:"leaf"`
}

type signedQuote struct {
	Maker     string `json:"maker"`
	Taker     string `json:"taker"`
	PoolID    string `json:"poolId"`
	SeriesKey string `json:"seriesKey"`
	Notional  string `json:"notional"`
	VrtAmount string `json:"vrtAmount"`
	Nonce     string `json:"nonce"`
	Deadline  string `json:"deadline"`
	Salt      string `json:"salt"`
	Signature string `json:"signature"`
}

type auctionFile struct {
	header
	Market struct {
		ChainID     uint64 `json:"chainId"`
		QuoteMarket string `json:"quoteMarket"`
	} `json:"market"`
	Open   provenEntry   `json:"open"`
	Close  provenEntry   `json:"close"`
	Leaves []opening     `json:"leaves"`
	Quotes []signedQuote `json:"quotes"`
}

type quoteFile struct {
	header
	Close   provenEntry `json:"close"`
	Opening opening     `json:"opening"`
	Index   uint64      `json:"index"`
	Path    []string    `json:"path"`
}

type omissionFile struct {
	header
	Key     provenEntry `json:"key"`
	Receipt receipt     `json:"receipt"`
	Close   provenEntry `json:"close"`
	Hashes  []string    `json:"hashes"`
}

type laterEntries struct {
	Checkpoint string   `json:"checkpoint"`
	From       int64    `json:"from"`
	Subtrees   []string `json:"subtrees"`
	Entries    []string `json:"entries"`
}

type overdueFile struct {
	header
	laterEntries
}

type unclosedFile struct {
	header
	Key     provenEntry `json:"key"`
	Receipt receipt     `json:"receipt"`
	laterEntries
}

type backdatedFile struct {
	header
	Checkpoint string      `json:"checkpoint"`
	Open       provenEntry `json:"open"`
}

type forkFile struct {
	header
	Older string   `json:"older"`
	Newer string   `json:"newer"`
	Root  string   `json:"root"`
	Path  []string `json:"path"`
}

type refusalFile struct {
	header
	Key     provenEntry `json:"key"`
	Receipt receipt     `json:"receipt"`
}

// policy has the keys that a verifier trusts.
type policy struct {
	log       note.Verifier
	witnesses []note.Verifier
	quorum    int
}

// context has a file's keys. Every one of them must have signed, and no other key.
type context struct {
	keys  []note.Verifier
	known []string
	// Witnesses of the policy that must have cosigned.
	quorum int
	used   map[string]bool
}

// verifyFile verifies a proof file, except that it does not choose the best quotes of an auction again.
func verifyFile(text string, trusted policy) error {
	var head header
	if err := json.Unmarshal([]byte(text), &head); err != nil {
		return err
	}
	ctx := &context{quorum: trusted.quorum, used: map[string]bool{}}
	for index, key := range head.Keys {
		parsed, err := parseKey(key)
		if err != nil {
			return err
		}
		if _, isWitness := parsed.(*witness); isWitness != (index > 0) {
			return errors.New("the file's keys are not a log's and then witnesses'")
		}
		for _, other := range ctx.keys {
			if other.Name() == parsed.Name() {
				return errors.New("two of the file's keys have the same name")
			}
		}
		for _, own := range trusted.witnesses {
			if own.Name() == parsed.Name() && own.KeyHash() == parsed.KeyHash() {
				ctx.known = append(ctx.known, own.Name())
			}
		}
		ctx.keys = append(ctx.keys, parsed)
	}
	if len(ctx.keys) == 0 || ctx.keys[0].Name() != trusted.log.Name() || ctx.keys[0].KeyHash() != trusted.log.KeyHash() {
		return errors.New("the file's log is not the trusted one")
	}
	var err error
	switch head.Type {
	case "auction":
		err = verify(text, ctx, verifyAuction)
	case "quote":
		err = verify(text, ctx, verifyQuote)
	case "omission":
		err = verify(text, ctx, verifyOmission)
	case "overdue":
		err = verify(text, ctx, verifyOverdue)
	case "unclosed":
		err = verify(text, ctx, verifyUnclosed)
	case "backdated":
		err = verify(text, ctx, verifyBackdated)
	case "fork":
		err = verify(text, ctx, verifyFork)
	case "refusal":
		err = verify(text, ctx, verifyRefusal)
	default:
		err = errors.New("the file is of an unknown type")
	}
	if err == nil && len(ctx.used) != len(ctx.keys) {
		err = errors.New("the file names a key without a signature")
	}
	return err
}

func verify[File any](text string, ctx *context, judge func(file *File, ctx *context) error) error {
	file := new(File)
	if err := json.Unmarshal([]byte(text), file); err != nil {
		return err
	}
	var encoded bytes.Buffer
	encoder := json.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(file); err != nil {
		return err
	}
	if encoded.String() != text {
		return errors.New("the file is not in the canonical encoding")
	}
	return judge(file, ctx)
}

func (ctx *context) readCheckpoint(signed string) (*checkpoint, error) {
	found, err := verifyCheckpoint(signed, ctx.keys)
	if err != nil {
		return nil, err
	}
	var expected []string
	trusted := 0
	for _, key := range ctx.keys {
		if contains(found.signers, key.Name()) {
			expected = append(expected, key.Name())
			ctx.used[key.Name()] = true
		}
	}
	for _, name := range ctx.known {
		if contains(found.signers, name) {
			trusted++
		}
	}
	if found.hasOthers || strings.Join(expected, "\n") != strings.Join(found.signers, "\n") {
		return nil, errors.New("a checkpoint has signatures of unknown keys, or in another order")
	}
	if trusted < ctx.quorum {
		return nil, errors.New("too few trusted witnesses cosigned")
	}
	return found, nil
}

func (ctx *context) readEntry(entry provenEntry, kind byte) (record, error) {
	encoded, err := decode64(entry.Record)
	if err != nil {
		return nil, err
	}
	decoded, err := decodeRecord(encoded, kind)
	if err != nil {
		return nil, err
	}
	_, signed, _ := strings.Cut(entry.Proof, "\n\n")
	if _, err := ctx.readCheckpoint(signed); err != nil {
		return nil, err
	}
	_, err = verifyEntry(encoded, entry.Proof, ctx.keys)
	return decoded, err
}

func (o opening) open() (tlog.Hash, []byte, error) {
	salt, err := decode64(o.Salt)
	if err != nil || len(salt) != 16 {
		return tlog.Hash{}, nil, errors.New("the salt does not have 16 bytes")
	}
	encoded, err := decode64(o.Record)
	return saltedLeaf(salt, encoded), encoded, err
}

// recoverReceipt returns the signer of a receipt, and its record.
func recoverReceipt(given receipt) (signer, leaf []byte, err error) {
	hash, leaf, err := opening{given.Salt, given.Leaf}.open()
	if err != nil {
		return nil, nil, err
	}
	path, err := decodeHashes(given.Path)
	if err != nil {
		return nil, nil, err
	}
	if len(path) > 16 || given.Index>>len(path) != 0 {
		return nil, nil, errors.New("the receipt's index is not in its batch")
	}
	for height, sibling := range path {
		if given.Index>>height&1 == 1 {
			hash = tlog.NodeHash(sibling, hash)
		} else {
			hash = tlog.NodeHash(hash, sibling)
		}
	}
	signature, err := decodeHex(given.Signature, 65)
	if err != nil {
		return nil, nil, err
	}
	signer, err = recoverSigner(receiptHash(given.Log, hash[:], given.MergeBy), signature)
	return signer, leaf, err
}

func (ctx *context) readReceipt(given receipt, key provenEntry, kind byte) (record, error) {
	signing, err := ctx.readEntry(key, keyEntry)
	if err != nil {
		return nil, err
	}
	signer, leaf, err := recoverReceipt(given)
	if err != nil {
		return nil, err
	}
	if given.Log != ctx.keys[0].Name() || !bytes.Equal(signer, signing["signer"]) {
		return nil, errors.New("the receipt is of another log, or not signed by its key")
	}
	return decodeRecord(leaf, kind)
}

func verifyAuction(file *auctionFile, ctx *context) error {
	opened, err := ctx.readEntry(file.Open, openEntry)
	if err != nil {
		return err
	}
	closed, err := ctx.readEntry(file.Close, closeEntry)
	if err != nil {
		return err
	}
	if !bytes.Equal(opened["publicRfqId"], closed["publicRfqId"]) {
		return errors.New("the two entries are of different auctions")
	}
	count := len(file.Leaves)
	if count < 2 || uint64(count) != closed.number("count") || len(file.Quotes) != count-2 {
		return errors.New("the file has another number of leaves or quotes")
	}
	hashes := make([]tlog.Hash, count)
	records := make([]record, count)
	for index, leaf := range file.Leaves {
		kind := byte(quoteLeaf)
		if index == 0 {
			kind = openLeaf
		} else if index == count-1 {
			kind = closeLeaf
		}
		hash, encoded, err := leaf.open()
		if err != nil {
			return err
		}
		hashes[index] = hash
		if records[index], err = decodeRecord(encoded, kind); err != nil {
			return err
		}
	}
	root, err := rootOf(hashes)
	if err != nil || !bytes.Equal(root[:], closed["root"]) || !bytes.Equal(hashes[0][:], opened["openLeaf"]) {
		return errors.New("the leaves do not match the log's root, or the opening was changed")
	}
	open, end := records[0], records[count-1]
	flags := open.number("flags")
	if flags > 3 || (flags&1 == 0 && open.big("maxVrtAmount").Sign() != 0) || (flags&2 == 0 && open.big("taker").Sign() != 0) {
		return errors.New("the opening has values that its flags exclude")
	}
	if open.number("openedAt") != opened.number("openedAt") || open.number("closesAt") != opened.number("closesAt") ||
		end.number("closedAt") != closed.number("closedAt") {
		return errors.New("the times are not the log's")
	}
	quoteMarket, err := decodeHex(file.Market.QuoteMarket, 20)
	if err != nil {
		return err
	}
	ranked := make([]*judgedQuote, len(file.Quotes))
	for index, quote := range file.Quotes {
		leaf := records[index+1]
		if ranked[index], err = judgeQuote(quote, leaf, open, file.Market.ChainID, quoteMarket); err != nil {
			return err
		}
		if leaf.number("seq") != uint64(index+1) {
			return errors.New("a quote has another number")
		}
	}
	sort.SliceStable(ranked, func(a, b int) bool { return ranked[a].isBefore(ranked[b]) })
	ranking := end.list("ranking")
	if len(ranking) != len(ranked) {
		return errors.New("the ranking has another length")
	}
	for index, quote := range ranked {
		if ranking[index] != quote.leaf.number("seq") {
			return errors.New("the ranking does not follow from the quotes")
		}
	}
	return nil
}

type judgedQuote struct {
	leaf                record
	notional, vrtAmount *big.Int
}

func judgeQuote(quote signedQuote, leaf, open record, chainID uint64, quoteMarket []byte) (*judgedQuote, error) {
	var words [][]byte
	address := func(text string) []byte {
		bytes, err := decodeHex(text, 20)
		if err != nil {
			return nil
		}
		return append(make([]byte, 12), bytes...)
	}
	hash := func(text string) []byte {
		bytes, _ := decodeHex(text, 32)
		return bytes
	}
	amount := func(text string) []byte {
		value, isNumber := new(big.Int).SetString(text, 10)
		if !isNumber || value.Sign() < 0 || value.BitLen() > 256 || value.String() != text {
			return nil
		}
		return word(value)
	}
	words = append(words, address(quote.Maker), address(quote.Taker), hash(quote.PoolID), hash(quote.SeriesKey))
	words = append(words, amount(quote.Notional), amount(quote.VrtAmount), amount(quote.Nonce), amount(quote.Deadline))
	words = append(words, hash(quote.Salt))
	for _, word := range words {
		if len(word) != 32 {
			return nil, errors.New("a quote is malformed")
		}
	}
	signature, err := decodeHex(quote.Signature, -1)
	if err != nil {
		return nil, err
	}
	digest := quoteHash(chainID, quoteMarket, words...)
	signed := sha256.Sum256(signature)
	isSame := bytes.Equal(digest, leaf["hash"]) && bytes.Equal(signed[:], leaf["signature"]) &&
		bytes.Equal(words[0][12:], leaf["maker"]) &&
		bytes.Equal(words[2], open["poolId"]) && bytes.Equal(words[3], open["seriesKey"])
	if !isSame {
		return nil, errors.New("a quote is not the one that the service accepted, or of another series")
	}
	// The contract of a maker may accept other signatures. Judge those on the chain.
	if signer, err := recoverSigner(digest, signature); err != nil || !bytes.Equal(signer, leaf["maker"]) {
		fmt.Println("the quote of", quote.Maker, "is not signed by a key")
	}
	return &judgedQuote{leaf, new(big.Int).SetBytes(words[4]), new(big.Int).SetBytes(words[5])}, nil
}

// isBefore ranks by price, then larger notional, then arrival, then number.
func (q *judgedQuote) isBefore(other *judgedQuote) bool {
	left, right := new(big.Int).Mul(q.vrtAmount, other.notional), new(big.Int).Mul(other.vrtAmount, q.notional)
	if order := left.Cmp(right); order != 0 {
		return order < 0
	}
	if order := q.notional.Cmp(other.notional); order != 0 {
		return order > 0
	}
	if a, b := q.leaf.number("arrival"), other.leaf.number("arrival"); a != b {
		return a < b
	}
	return q.leaf.number("seq") < other.leaf.number("seq")
}

func verifyQuote(file *quoteFile, ctx *context) error {
	closed, err := ctx.readEntry(file.Close, closeEntry)
	if err != nil {
		return err
	}
	hash, encoded, err := file.Opening.open()
	if err != nil {
		return err
	}
	leaf, err := decodeRecord(encoded, quoteLeaf)
	if err != nil {
		return err
	}
	path, err := decodeHashes(file.Path)
	if err != nil {
		return err
	}
	count := closed.number("count")
	if file.Index >= count || leaf.number("seq") != file.Index {
		return errors.New("the quote has another index")
	}
	return tlog.CheckRecord(path, int64(count), hashOf(closed["root"]), int64(file.Index), hash)
}

func verifyOmission(file *omissionFile, ctx *context) error {
	promise, err := ctx.readReceipt(file.Receipt, file.Key, acceptedLeaf)
	if err != nil {
		return err
	}
	closed, err := ctx.readEntry(file.Close, closeEntry)
	if err != nil {
		return err
	}
	if !bytes.Equal(promise["publicRfqId"], closed["publicRfqId"]) {
		return errors.New("the receipt is of another auction")
	}
	hashes, err := decodeHashes(file.Hashes)
	if err != nil {
		return err
	}
	root, err := rootOf(hashes)
	if err != nil || uint64(len(hashes)) != closed.number("count") || !bytes.Equal(root[:], closed["root"]) {
		return errors.New("the hashes do not match the log's root of the auction")
	}
	// The last leaf is the close.
	if seq := promise.number("seq"); seq+1 < uint64(len(hashes)) && hashes[seq] == hashOf(promise["leaf"]) {
		return errors.New("the auction has the quote, as the receipt promised")
	}
	return nil
}

func verifyOverdue(file *overdueFile, ctx *context) error {
	opened, found, err := file.readUnclosed(ctx)
	if err != nil {
		return err
	}
	ends := opened.number("closesAt")
	return found.isSeen(ends/1000 + (ends%1000+999)/1000 + 60)
}

func verifyUnclosed(file *unclosedFile, ctx *context) error {
	promise, err := ctx.readReceipt(file.Receipt, file.Key, acceptedLeaf)
	if err != nil {
		return err
	}
	opened, found, err := file.readUnclosed(ctx)
	if err != nil {
		return err
	}
	if !bytes.Equal(opened["publicRfqId"], promise["publicRfqId"]) {
		return errors.New("the first entry is not the auction's opening")
	}
	return found.isSeen(file.Receipt.MergeBy)
}

func verifyBackdated(file *backdatedFile, ctx *context) error {
	found, err := ctx.readCheckpoint(file.Checkpoint)
	if err != nil {
		return err
	}
	// The log's own signature shows its entry.
	opened, err := (&context{ctx.keys, ctx.known, 0, ctx.used}).readEntry(file.Open, openEntry)
	if err != nil {
		return err
	}
	var index int64
	if _, err := fmt.Sscanf(strings.Split(file.Open.Proof, "\n")[1], "index %d", &index); err != nil || index < found.N {
		return errors.New("the checkpoint has the opening")
	}
	return found.isSeen(opened.number("openedAt")/1000 + 61)
}

// isSeen returns an error unless a witness cosigned at or after a time, in Unix seconds.
func (c *checkpoint) isSeen(since uint64) error {
	for _, time := range c.times {
		if time >= since {
			return nil
		}
	}
	return errors.New("no witness cosigned the checkpoint in time")
}

// readUnclosed returns the opening of an auction without a close.
func (file *laterEntries) readUnclosed(ctx *context) (opened record, found *checkpoint, err error) {
	if found, err = ctx.readCheckpoint(file.Checkpoint); err != nil {
		return nil, nil, err
	}
	subtrees, err := decodeHashes(file.Subtrees)
	if err != nil {
		return nil, nil, err
	}
	if file.From < 0 || file.From+int64(len(file.Entries)) != found.N || len(file.Entries) == 0 {
		return nil, nil, errors.New("the file does not have all of the log's later entries")
	}
	leaves := make([]tlog.Hash, len(file.Entries))
	for index, entry := range file.Entries {
		encoded, err := decode64(entry)
		if err != nil {
			return nil, nil, err
		}
		leaves[index] = tlog.RecordHash(encoded)
		if index == 0 {
			if opened, err = decodeRecord(encoded, openEntry); err != nil {
				return nil, nil, err
			}
		} else if encoded[0] == closeEntry {
			// A malformed close closes no auction.
			closed, err := decodeRecord(encoded, closeEntry)
			if err == nil && bytes.Equal(closed["publicRfqId"], opened["publicRfqId"]) {
				return nil, nil, errors.New("the auction was closed")
			}
		}
	}
	root, err := rootAfterPrefix(file.From, subtrees, leaves)
	if err != nil || root != found.Hash {
		return nil, nil, errors.New("the entries do not match the checkpoint's root")
	}
	return opened, found, nil
}

// rootAfterPrefix computes a root from the complete subtrees of the first leaves, largest first, and all later leaves.
func rootAfterPrefix(size int64, subtrees, leaves []tlog.Hash) (root tlog.Hash, err error) {
	type node struct {
		leaves int64
		hash   tlog.Hash
	}
	var stack []node
	for bit := int64(1) << 52; bit > 0; bit >>= 1 {
		if size&bit == 0 {
			continue
		}
		if len(subtrees) == 0 {
			return root, errors.New("a subtree is missing")
		}
		stack = append(stack, node{bit, subtrees[0]})
		subtrees = subtrees[1:]
	}
	if len(subtrees) > 0 {
		return root, errors.New("there are too many subtrees")
	}
	for _, leaf := range leaves {
		added := node{1, leaf}
		for len(stack) > 0 && stack[len(stack)-1].leaves == added.leaves {
			added = node{2 * added.leaves, tlog.NodeHash(stack[len(stack)-1].hash, added.hash)}
			stack = stack[:len(stack)-1]
		}
		stack = append(stack, added)
	}
	root = stack[len(stack)-1].hash
	for index := len(stack) - 2; index >= 0; index-- {
		root = tlog.NodeHash(stack[index].hash, root)
	}
	return root, nil
}

func verifyFork(file *forkFile, given *context) error {
	// The log's own signatures show a fork.
	ctx := &context{given.keys, given.known, 0, given.used}
	older, err := ctx.readCheckpoint(file.Older)
	if err != nil {
		return err
	}
	newer, err := ctx.readCheckpoint(file.Newer)
	if err != nil {
		return err
	}
	root, err := decodeHash(file.Root)
	if err != nil {
		return err
	}
	path, err := decodeHashes(file.Path)
	if err != nil {
		return err
	}
	if root == older.Hash {
		return errors.New("the two checkpoints are consistent")
	}
	// The library checks no trees of equal size.
	if older.N == newer.N && root == newer.Hash && len(path) == 0 {
		return nil
	}
	return tlog.CheckTree(path, newer.N, newer.Hash, older.N, root)
}

func verifyRefusal(file *refusalFile, ctx *context) error {
	_, err := ctx.readReceipt(file.Receipt, file.Key, refusedLeaf)
	return err
}

// decodeHex decodes lower-case hex after 0x, of a size or of any if it is negative.
func decodeHex(text string, size int) ([]byte, error) {
	decoded, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	if err != nil || "0x"+hex.EncodeToString(decoded) != text || (size >= 0 && len(decoded) != size) {
		return nil, errors.New("the text is not hex of this size")
	}
	return decoded, nil
}

func hashOf(bytes []byte) (hash tlog.Hash) {
	copy(hash[:], bytes)
	return hash
}
