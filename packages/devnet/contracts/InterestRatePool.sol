// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";

import {IRateAdapter} from "./interfaces/IRateAdapter.sol";

/// @title Pools, their series, and the fixed-for-floating positions in them. A reference for development; not audited.
/// @notice A position holds the maker's whole notional and the borrower's cost. After the expiry the borrower gets the floating
/// interest on the notional, at most the notional; the maker gets everything else.
/// @dev Tokens that take a fee on transfer or change balances by themselves are not supported.
contract InterestRatePool is Ownable, ReentrancyGuard {
    using SafeERC20 for IERC20;

    struct Pool {
        address loanToken;
        address adapter;
        bytes32 market;
    }

    struct Series {
        bytes32 poolId;
        uint64 expiry;
        uint256 cap;
        uint256 outstanding;
    }

    struct Position {
        address maker;
        address borrower;
        bytes32 poolId;
        bytes32 seriesKey;
        uint256 notional;
        uint256 cost;
        uint256 indexAtOpen;
        uint64 openedAt;
        bool settled;
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
    event PositionSettled(uint256 indexed positionId, uint256 toBorrower, uint256 toMaker);
    event OperatorSet(address indexed owner, address indexed operator, bool approved);

    /// @notice The only contract that may open positions.
    address public quoteMarket;

    /// @notice All zeros when unknown.
    mapping(bytes32 poolId => Pool) public pools;

    /// @notice All zeros when unknown. `outstanding` is the notional of the positions that are not settled yet.
    mapping(bytes32 seriesKey => Series) public series;

    /// @notice Positions count from 1.
    mapping(uint256 positionId => Position) public positions;

    /// @notice Whether `operator` may open positions for `owner`.
    mapping(address owner => mapping(address operator => bool)) public isOperator;

    /// @notice What the open positions hold of a token; this contract's balance is never below it.
    mapping(address loanToken => uint256) public escrowed;

    uint256 private _lastPositionId;

    constructor(address owner) Ownable(owner) {}

    /// @notice Names the quote market, once.
    function setQuoteMarket(address newQuoteMarket) external onlyOwner {
        if (newQuoteMarket == address(0)) revert ZeroAddress();
        if (quoteMarket != address(0)) revert QuoteMarketAlreadySet();
        quoteMarket = newQuoteMarket;
        emit QuoteMarketSet(newQuoteMarket);
    }

    /// @notice Adds a pool on one market of one lending protocol.
    /// @dev Reads the index, so that a pool on a market that does not exist is refused by its adapter.
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
    /// @param cap The most notional that the series holds at a time.
    function createSeries(bytes32 poolId, uint64 expiry, uint256 cap) external onlyOwner returns (bytes32 seriesKey) {
        if (pools[poolId].loanToken == address(0)) revert PoolNotFound(poolId);
        seriesKey = keccak256(abi.encode(poolId, expiry));
        if (series[seriesKey].poolId != 0) revert SeriesExists(seriesKey);
        if (expiry <= block.timestamp) revert SeriesExpired(seriesKey);
        series[seriesKey] = Series(poolId, expiry, cap, 0);
        emit SeriesCreated(seriesKey, poolId, expiry, cap);
    }

    /// @notice The notional that a series can still take; zero when unknown.
    function capacity(bytes32 seriesKey) public view returns (uint256) {
        return series[seriesKey].cap - series[seriesKey].outstanding;
    }

    /// @notice Lets `operator` open positions for the caller, or no longer.
    function setOperator(address operator, bool approved) external {
        isOperator[msg.sender][operator] = approved;
        emit OperatorSet(msg.sender, operator, approved);
    }

    /// @notice Opens a position whose `notional` and `cost` the quote market has moved here already.
    function openPosition(
        address maker,
        address borrower,
        bytes32 poolId,
        bytes32 seriesKey,
        uint256 notional,
        uint256 cost
    ) external nonReentrant returns (uint256 positionId) {
        if (msg.sender != quoteMarket) revert NotQuoteMarket();
        Series storage target = series[seriesKey];
        if (target.poolId == 0 || target.poolId != poolId) revert SeriesNotFound(seriesKey);
        if (target.expiry <= block.timestamp) revert SeriesExpired(seriesKey);
        if (notional > capacity(seriesKey)) revert CapacityExceeded(seriesKey);

        Pool storage pool = pools[poolId];
        _escrow(pool.loanToken, notional + cost);
        target.outstanding += notional;

        positionId = ++_lastPositionId;
        uint256 index = IRateAdapter(pool.adapter).index(pool.market);
        positions[positionId] = Position({
            maker: maker,
            borrower: borrower,
            poolId: poolId,
            seriesKey: seriesKey,
            notional: notional,
            cost: cost,
            indexAtOpen: index,
            openedAt: uint64(block.timestamp),
            settled: false
        });
        emit PositionOpened(positionId, maker, borrower, poolId, seriesKey, notional, cost, index);
    }

    /// @notice Pays a position out. Anyone may call it, from the expiry on.
    function settle(uint256 positionId) external nonReentrant {
        Position storage position = positions[positionId];
        if (position.maker == address(0)) revert PositionNotFound(positionId);
        if (position.settled) revert PositionAlreadySettled(positionId);
        Series storage source = series[position.seriesKey];
        if (block.timestamp < source.expiry) revert SeriesNotExpired(position.seriesKey);

        uint256 toBorrower = _floatingInterest(position, source.expiry);
        uint256 toMaker = position.notional - toBorrower + position.cost;
        address loanToken = pools[position.poolId].loanToken;

        position.settled = true;
        source.outstanding -= position.notional;
        escrowed[loanToken] -= toBorrower + toMaker;
        emit PositionSettled(positionId, toBorrower, toMaker);

        IERC20(loanToken).safeTransfer(position.borrower, toBorrower);
        IERC20(loanToken).safeTransfer(position.maker, toMaker);
    }

    /// @dev The index is known at settlement, not at the expiry; of the growth since the opening, a late settlement counts the
    /// share of the time before the expiry. An index that has fallen counts as no interest.
    function _floatingInterest(Position storage position, uint256 expiry) private view returns (uint256) {
        Pool storage pool = pools[position.poolId];
        uint256 index = IRateAdapter(pool.adapter).index(pool.market);
        if (index <= position.indexAtOpen) return 0;

        uint256 growth = index - position.indexAtOpen;
        if (block.timestamp > expiry) {
            growth = Math.mulDiv(growth, expiry - position.openedAt, block.timestamp - position.openedAt);
        }
        if (growth >= position.indexAtOpen) return position.notional;
        return Math.mulDiv(position.notional, growth, position.indexAtOpen);
    }

    function _escrow(address loanToken, uint256 amount) private {
        uint256 held = escrowed[loanToken] + amount;
        if (IERC20(loanToken).balanceOf(address(this)) < held) revert FundsMissing(loanToken);
        escrowed[loanToken] = held;
    }
}
