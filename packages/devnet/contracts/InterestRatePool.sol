// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {IRateAdapter} from "./interfaces/IRateAdapter.sol";
import {SignedBy} from "./SignedBy.sol";

/// @title Pools, their series, and fixed-for-floating positions. A reference for development; not audited.
/// @notice A position holds the maker's whole notional and the borrower's cost. After expiry, the borrower gets the floating
/// interest on the notional, capped at the notional, and the maker gets the rest. The parties withdraw separately, so a token
/// that blocks one of them does not affect the other.
/// @dev Rejects tokens that charge a fee on transfer. Rebasing tokens are not supported.
contract InterestRatePool is Ownable, EIP712, Nonces, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    struct Pool {
        address loanToken;
        address adapter;
        bytes32 market;
    }

    /// @dev `expiry` and `lastPositionId` share a slot that changes with every new position. Opening a position therefore costs the
    /// same gas whether or not the previous one is in the same block.
    struct Series {
        bytes32 poolId;
        uint64 expiry;
        uint64 lastPositionId;
        uint256 cap;
        uint256 outstanding;
    }

    /// @dev `borrower`, `openedAt` and `settled` share a slot.
    struct Position {
        address maker;
        address borrower;
        uint64 openedAt;
        bool settled;
        bytes32 poolId;
        bytes32 seriesKey;
        uint256 notional;
        uint256 cost;
        uint256 indexAtOpen;
    }

    /// @param index The growth index of the pool's market, RAY.
    /// @param readAt When the index was read, Unix seconds.
    struct Observation {
        uint192 index;
        uint64 readAt;
    }

    error ZeroAddress();
    error NotQuoteMarket();
    error QuoteMarketAlreadySet();
    error PoolExists(bytes32 poolId);
    error PoolNotFound(bytes32 poolId);
    error SeriesExists(bytes32 seriesKey);
    error SeriesNotFound(bytes32 seriesKey);
    error SeriesExpired(bytes32 seriesKey);
    error SeriesNotExpired(bytes32 seriesKey);
    error CapacityExceeded(bytes32 seriesKey);
    error FundsMissing(address loanToken);
    error PositionNotFound(uint256 positionId);
    error PositionAlreadySettled(uint256 positionId);
    error TransferIncomplete(address token);
    error DeadlinePassed(uint256 deadline);
    error BadSignature(address owner);

    event QuoteMarketSet(address indexed quoteMarket);
    event PoolCreated(bytes32 indexed poolId, address indexed loanToken, address adapter, bytes32 market);
    event SeriesCreated(bytes32 indexed seriesKey, bytes32 indexed poolId, uint64 expiry, uint256 cap);
    event PositionOpened(
        uint256 indexed positionId,
        address indexed maker,
        address indexed borrower,
        bytes32 poolId,
        bytes32 seriesKey,
        uint256 notional,
        uint256 cost,
        uint256 index
    );
    event SeriesObserved(bytes32 indexed seriesKey, uint256 index, uint64 readAt);
    event SeriesCheckpointed(bytes32 indexed seriesKey, uint256 index, uint64 readAt, uint256 indexAtExpiry);
    event PositionSettled(uint256 indexed positionId, uint256 toBorrower, uint256 toMaker);
    event Credited(
        address indexed account, address indexed token, uint256 indexed positionId, uint256 amount
    );
    event Withdrawn(address indexed account, address indexed token, uint256 amount);
    event OperatorSet(address indexed owner, address indexed operator, bool approved);

    bytes32 private constant SET_OPERATOR_TYPEHASH =
        keccak256("SetOperator(address owner,address operator,bool approved,uint256 nonce,uint256 deadline)");

    /// @notice The only contract that may open positions.
    address public quoteMarket;

    /// @notice All fields are zero if the entry does not exist.
    mapping(bytes32 poolId => Pool) public pools;

    /// @notice Position ids start at 1.
    mapping(uint256 positionId => Position) public positions;

    /// @notice Whether `operator` may open positions for `owner`.
    mapping(address owner => mapping(address operator => bool)) public isOperator;

    /// @notice The index that `observe` read last before expiry. All fields are zero if there is none.
    /// @dev Not part of a slot that an opening writes, so that an observation does not change the gas cost of an opening.
    mapping(bytes32 seriesKey => Observation) public observations;

    /// @notice The first index read at or after expiry. All fields are zero before that.
    mapping(bytes32 seriesKey => Observation) public checkpoints;

    /// @notice The amount of `token` that `account` can withdraw.
    mapping(address account => mapping(address token => uint256)) public credits;

    /// @notice The amount of a token held for unsettled positions and withdrawable credits.
    mapping(address token => uint256) public owed;

    mapping(bytes32 seriesKey => Series) private _series;

    uint64 private _lastPositionId;

    constructor(address owner) Ownable(owner) EIP712("InterestRatePool", "1") {}

    /// @notice Sets the quote market. Can be called only once.
    function setQuoteMarket(address newQuoteMarket) external onlyOwner {
        if (newQuoteMarket == address(0)) revert ZeroAddress();
        if (quoteMarket != address(0)) revert QuoteMarketAlreadySet();
        quoteMarket = newQuoteMarket;
        emit QuoteMarketSet(newQuoteMarket);
    }

    /// @notice Adds a pool for a lending protocol's market.
    /// @dev Reads the index, so that the adapter rejects a market that does not exist.
    function createPool(address loanToken, address adapter, bytes32 market)
        external
        onlyOwner
        returns (bytes32 poolId)
    {
        if (loanToken == address(0)) revert ZeroAddress();
        poolId = keccak256(abi.encode(loanToken, adapter, market));
        if (pools[poolId].loanToken != address(0)) revert PoolExists(poolId);
        IRateAdapter(adapter).index(market);
        pools[poolId] = Pool(loanToken, adapter, market);
        emit PoolCreated(poolId, loanToken, adapter, market);
    }

    /// @notice Adds a series to a pool.
    /// @param cap The maximum outstanding notional of the series.
    function createSeries(bytes32 poolId, uint64 expiry, uint256 cap) external onlyOwner returns (bytes32 seriesKey) {
        if (pools[poolId].loanToken == address(0)) revert PoolNotFound(poolId);
        seriesKey = keccak256(abi.encode(poolId, expiry));
        if (_series[seriesKey].poolId != 0) revert SeriesExists(seriesKey);
        if (expiry <= block.timestamp) revert SeriesExpired(seriesKey);
        _series[seriesKey] = Series(poolId, expiry, 0, cap, 0);
        emit SeriesCreated(seriesKey, poolId, expiry, cap);
    }

    /// @notice All fields are zero if the entry does not exist. `outstanding` is the notional of unsettled positions.
    function series(bytes32 seriesKey)
        external
        view
        returns (bytes32 poolId, uint64 expiry, uint256 cap, uint256 outstanding)
    {
        Series storage target = _series[seriesKey];
        return (target.poolId, target.expiry, target.cap, target.outstanding);
    }

    /// @notice The remaining notional capacity of a series. Zero if the series does not exist.
    function capacity(bytes32 seriesKey) public view returns (uint256) {
        return _series[seriesKey].cap - _series[seriesKey].outstanding;
    }

    /// @notice Allows or forbids `operator` to open positions for the caller.
    /// @dev An operator decides which quotes the owner's allowance is spent on. Never make a contract an operator if anyone can
    /// make calls through it, such as a bundler. Revoking a permission also invalidates signed permissions that are not used yet.
    function setOperator(address operator, bool approved) external {
        if (!approved) _useNonce(msg.sender);
        _setOperator(msg.sender, operator, approved);
    }

    /// @notice Sets an operator of `owner` by signature. Anyone can submit the signature.
    /// @dev EIP-712: SetOperator(address owner,address operator,bool approved,uint256 nonce,uint256 deadline), where the nonce is
    /// `nonces(owner)`.
    /// @param deadline The last second at which the signature is valid, Unix seconds.
    /// @param signature The owner's signature: ECDSA (65 bytes, low s), or ERC-1271 if the owner has code.
    function setOperatorWithSignature(
        address owner,
        address operator,
        bool approved,
        uint256 deadline,
        bytes calldata signature
    ) external {
        if (block.timestamp > deadline) revert DeadlinePassed(deadline);
        bytes32 hash = _hashTypedDataV4(
            keccak256(abi.encode(SET_OPERATOR_TYPEHASH, owner, operator, approved, _useNonce(owner), deadline))
        );
        if (!SignedBy.isSignedBy(owner, hash, signature)) revert BadSignature(owner);
        _setOperator(owner, operator, approved);
    }

    /// @notice Opens a position. The quote market must already have transferred `notional` and `cost` to this contract.
    function openPosition(
        address maker,
        address borrower,
        bytes32 poolId,
        bytes32 seriesKey,
        uint256 notional,
        uint256 cost
    ) external nonReentrant returns (uint256 positionId) {
        if (msg.sender != quoteMarket) revert NotQuoteMarket();
        Series storage target = _series[seriesKey];
        if (target.poolId == 0 || target.poolId != poolId) revert SeriesNotFound(seriesKey);
        if (target.expiry <= block.timestamp) revert SeriesExpired(seriesKey);
        if (notional > capacity(seriesKey)) revert CapacityExceeded(seriesKey);

        _escrow(pools[poolId].loanToken, notional + cost);
        target.outstanding += notional;

        positionId = ++_lastPositionId;
        target.lastPositionId = uint64(positionId);
        Observation memory opening = _observe(poolId);
        positions[positionId] = Position({
            maker: maker,
            borrower: borrower,
            openedAt: opening.readAt,
            settled: false,
            poolId: poolId,
            seriesKey: seriesKey,
            notional: notional,
            cost: cost,
            indexAtOpen: opening.index
        });
        emit PositionOpened(positionId, maker, borrower, poolId, seriesKey, notional, cost, opening.index);
    }

    /// @notice Reads the index of a series. Anyone can call it at any time. Before expiry, each call replaces the last observation.
    /// From expiry on, it is the same as `checkpoint`.
    /// @dev A call that creates the checkpoint costs more gas than an observation. An estimate from before expiry may be too low.
    function observe(bytes32 seriesKey) external nonReentrant {
        Series storage target = _series[seriesKey];
        if (target.poolId == 0) revert SeriesNotFound(seriesKey);
        if (block.timestamp >= target.expiry) return _checkpoint(seriesKey);
        Observation memory reading = _observe(target.poolId);
        observations[seriesKey] = reading;
        emit SeriesObserved(seriesKey, reading.index, reading.readAt);
    }

    /// @notice Stores the index used to settle all positions in the series. Anyone can call it once the series has expired. Only
    /// the first call has an effect.
    function checkpoint(bytes32 seriesKey) external nonReentrant {
        if (_series[seriesKey].poolId == 0) revert SeriesNotFound(seriesKey);
        _checkpoint(seriesKey);
    }

    /// @notice The index used to settle positions in the series, RAY. Zero before the checkpoint.
    /// @dev Interpolates linearly between the series' last reading before expiry and the checkpoint. The last reading is the last
    /// opening's or, if newer, the observation. If the index fell in between, it counts as unchanged.
    function indexAtExpiry(bytes32 seriesKey) public view returns (uint256) {
        Observation memory first = checkpoints[seriesKey];
        if (first.readAt == 0) return 0;
        Series storage target = _series[seriesKey];
        Position storage opening = positions[target.lastPositionId];
        Observation memory last = observations[seriesKey];
        (uint256 index, uint256 readAt) = (last.index, last.readAt);
        if (opening.openedAt >= readAt) (index, readAt) = (opening.indexAtOpen, opening.openedAt);
        if (readAt == 0) return first.index;
        if (first.index <= index) return index;
        return index + Math.mulDiv(first.index - index, target.expiry - readAt, first.readAt - readAt);
    }

    /// @notice Credits a position's payout to both parties. Anyone can call it once the series has expired. Creates the checkpoint
    /// if there is none. After that, the time of the call does not affect the payout.
    function settle(uint256 positionId) external nonReentrant {
        Position storage position = positions[positionId];
        if (position.maker == address(0)) revert PositionNotFound(positionId);
        if (position.settled) revert PositionAlreadySettled(positionId);
        bytes32 seriesKey = position.seriesKey;
        _checkpoint(seriesKey);

        uint256 notional = position.notional;
        uint256 toBorrower = _floatingInterest(notional, position.indexAtOpen, indexAtExpiry(seriesKey));
        uint256 toMaker = notional - toBorrower + position.cost;
        position.settled = true;
        _series[seriesKey].outstanding -= notional;
        emit PositionSettled(positionId, toBorrower, toMaker);

        address loanToken = pools[position.poolId].loanToken;
        _credit(position.borrower, loanToken, positionId, toBorrower);
        _credit(position.maker, loanToken, positionId, toMaker);
    }

    /// @notice Pays the caller all of its credit in `token`.
    function withdraw(address token) external returns (uint256 amount) {
        return withdrawFor(msg.sender, token);
    }

    /// @notice Pays `account` all of its credit in `token`. Anyone can call it.
    /// @dev Does not revert without a credit. Otherwise, anyone could make a batch that includes it revert by withdrawing first.
    function withdrawFor(address account, address token) public nonReentrant returns (uint256 amount) {
        amount = credits[account][token];
        if (amount == 0) return 0;
        credits[account][token] = 0;
        owed[token] -= amount;
        emit Withdrawn(account, token, amount);

        uint256 held = IERC20(token).balanceOf(address(this));
        IERC20(token).safeTransfer(account, amount);
        // A fee on top of the amount would be paid from funds owed to others.
        if (held - IERC20(token).balanceOf(address(this)) > amount) revert TransferIncomplete(token);
    }

    function _setOperator(address owner, address operator, bool approved) private {
        isOperator[owner][operator] = approved;
        emit OperatorSet(owner, operator, approved);
    }

    function _checkpoint(bytes32 seriesKey) private {
        Series storage target = _series[seriesKey];
        if (block.timestamp < target.expiry) revert SeriesNotExpired(seriesKey);
        if (checkpoints[seriesKey].readAt != 0) return;
        Observation memory first = _observe(target.poolId);
        checkpoints[seriesKey] = first;
        emit SeriesCheckpointed(seriesKey, first.index, first.readAt, indexAtExpiry(seriesKey));
    }

    /// @dev Caps an index at 192 bits instead of reverting, because a revert would lock the positions.
    function _observe(bytes32 poolId) private view returns (Observation memory) {
        Pool storage pool = pools[poolId];
        uint256 index = IRateAdapter(pool.adapter).index(pool.market);
        return Observation(uint192(Math.min(index, type(uint192).max)), uint64(block.timestamp));
    }

    function _floatingInterest(uint256 notional, uint256 from, uint256 to) private pure returns (uint256) {
        if (to <= from) return 0;
        if (to - from >= from) return notional;
        return Math.mulDiv(notional, to - from, from);
    }

    function _credit(address account, address token, uint256 positionId, uint256 amount) private {
        if (amount == 0) return;
        credits[account][token] += amount;
        emit Credited(account, token, positionId, amount);
    }

    function _escrow(address token, uint256 amount) private {
        uint256 total = owed[token] + amount;
        if (IERC20(token).balanceOf(address(this)) < total) revert FundsMissing(token);
        owed[token] = total;
    }
}
