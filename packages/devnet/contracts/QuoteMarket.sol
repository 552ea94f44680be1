// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {InterestRatePool} from "./InterestRatePool.sol";
import {SignedBy} from "./SignedBy.sol";

/// @title A market on which borrowers take makers' signed quotes. A reference for development; not audited.
/// @notice Quotes can only be taken in full. Amounts are in raw units of the pool's loan token, and times in Unix seconds.
contract QuoteMarket is EIP712, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    /// @param maker The account that backs the fixed rate and signs the quote.
    /// @param taker The only borrower that may take the quote, or zero for anyone.
    /// @param poolId The pool of the series.
    /// @param seriesKey The series, which determines the expiry.
    /// @param notional The debt whose floating interest the maker covers until expiry.
    /// @param vrtAmount The borrower's total cost for the whole term.
    /// @param nonce The maker's nonce when it signed the quote.
    /// @param deadline The last second at which the quote can be taken.
    /// @param salt Distinguishes quotes with identical terms.
    struct Quote {
        address maker;
        address taker;
        bytes32 poolId;
        bytes32 seriesKey;
        uint256 notional;
        uint256 vrtAmount;
        uint256 nonce;
        uint256 deadline;
        bytes32 salt;
    }

    error NotMaker();
    error QuoteNotOpen(bytes32 hash);
    error QuoteNotExecutable(bytes32 reason);
    error CostTooHigh(uint256 cost, uint256 maxCost);
    error OperatorNotApproved(address borrower);
    error TransferIncomplete(address token);

    event QuoteFilled(
        bytes32 indexed hash,
        address indexed maker,
        address indexed taker,
        bytes32 poolId,
        bytes32 seriesKey,
        uint256 notional,
        uint256 vrtAmount,
        uint256 cost
    );
    event QuoteCancelled(bytes32 indexed hash, address indexed maker);
    event NonceRaised(address indexed maker, uint256 nonce);

    bytes32 private constant QUOTE_TYPEHASH = keccak256(
        "Quote(address maker,address taker,bytes32 poolId,bytes32 seriesKey,uint256 notional,uint256 vrtAmount,uint256 nonce,uint256 deadline,bytes32 salt)"
    );

    uint8 private constant OPEN = 0;
    uint8 private constant FILLED = 1;
    uint8 private constant CANCELLED = 2;

    /// @notice The pool that holds funds and positions.
    InterestRatePool public immutable interestRatePool;

    /// @notice Each maker's current nonce. Only quotes with this nonce can be taken.
    mapping(address maker => uint256) public nonces;

    /// @notice Status by quote hash: 0 is open, 1 filled, 2 cancelled.
    mapping(bytes32 hash => uint8) public quoteStatus;

    constructor(InterestRatePool pool) EIP712("QuoteMarket", "1") {
        interestRatePool = pool;
    }

    /// @notice The EIP-712 hash that the maker signs. It identifies the quote.
    function hashQuote(Quote calldata quote) public view returns (bytes32) {
        return _hashTypedDataV4(keccak256(abi.encode(QUOTE_TYPEHASH, quote)));
    }

    /// @notice Cancels a quote permanently. The contract need not have seen the quote before.
    function cancelQuote(Quote calldata quote) external {
        if (msg.sender != quote.maker) revert NotMaker();
        bytes32 hash = hashQuote(quote);
        if (quoteStatus[hash] != OPEN) revert QuoteNotOpen(hash);
        quoteStatus[hash] = CANCELLED;
        emit QuoteCancelled(hash, msg.sender);
    }

    /// @notice Invalidates all quotes that the caller has signed with the current nonce.
    function raiseNonce() external returns (uint256 nonce) {
        nonce = ++nonces[msg.sender];
        emit NonceRaised(msg.sender, nonce);
    }

    /// @notice Returns whether `borrower` could take the quote now, and if not, why. Does not revert for an invalid quote.
    /// @dev Checks the quote and its maker, but not the borrower's balance, allowance or operator permission.
    /// @return executable Whether all checks pass.
    /// @return reason The reason for a rejection, in left-aligned ASCII. Zero if executable.
    /// @return borrowerCost The amount that the borrower would pay.
    /// @return capacity The remaining capacity of the series. Zero if the pool has no such series.
    function previewTakeQuote(Quote calldata quote, bytes calldata signature, address borrower)
        external
        view
        returns (bool executable, bytes32 reason, uint256 borrowerCost, uint256 capacity)
    {
        capacity = _capacity(quote);
        reason = _judge(quote, signature, hashQuote(quote), borrower, capacity);
        return (reason == 0, reason, quote.vrtAmount, capacity);
    }

    /// @notice Takes the whole quote for the caller. Transfers the maker's notional and the caller's cost to the pool.
    /// @param maxCost The maximum amount that the caller is willing to pay.
    function takeQuote(Quote calldata quote, bytes calldata signature, uint256 maxCost)
        external
        nonReentrant
        returns (uint256 positionId)
    {
        return _take(quote, signature, maxCost, msg.sender, address(this));
    }

    /// @notice Takes the whole quote for `borrower`, who pays. The caller must be an operator of `borrower`.
    /// @dev The caller needs only the operator permission. The borrower need not have made this contract an operator as well.
    /// @param maxCost The maximum amount that `borrower` may have to pay.
    function takeQuoteFor(Quote calldata quote, bytes calldata signature, uint256 maxCost, address borrower)
        external
        nonReentrant
        returns (uint256 positionId)
    {
        return _take(quote, signature, maxCost, borrower, msg.sender);
    }

    function _take(
        Quote calldata quote,
        bytes calldata signature,
        uint256 maxCost,
        address borrower,
        address operator
    ) private returns (uint256 positionId) {
        bytes32 hash = hashQuote(quote);
        bytes32 reason = _judge(quote, signature, hash, borrower, _capacity(quote));
        if (reason != 0) revert QuoteNotExecutable(reason);
        if (quote.vrtAmount > maxCost) revert CostTooHigh(quote.vrtAmount, maxCost);
        if (!interestRatePool.isOperator(borrower, operator)) revert OperatorNotApproved(borrower);
        return _fill(quote, hash, borrower);
    }

    function _fill(Quote calldata quote, bytes32 hash, address borrower) private returns (uint256 positionId) {
        uint256 cost = quote.vrtAmount;
        quoteStatus[hash] = FILLED;
        _collect(quote, cost, borrower);
        positionId = interestRatePool.openPosition(
            quote.maker, borrower, quote.poolId, quote.seriesKey, quote.notional, cost
        );
        emit QuoteFilled(
            hash,
            quote.maker,
            borrower,
            quote.poolId,
            quote.seriesKey,
            quote.notional,
            quote.vrtAmount,
            cost
        );
    }

    /// @dev Measures the amount received, because a token with transfer fees would leave a position underfunded.
    function _collect(Quote calldata quote, uint256 cost, address borrower) private {
        IERC20 token = _loanToken(quote.poolId);
        address pool = address(interestRatePool);
        uint256 held = token.balanceOf(pool);
        token.safeTransferFrom(quote.maker, pool, quote.notional);
        if (cost != 0) token.safeTransferFrom(borrower, pool, cost);
        if (token.balanceOf(pool) - held < quote.notional + cost) revert TransferIncomplete(address(token));
    }

    function _judge(
        Quote calldata quote,
        bytes calldata signature,
        bytes32 hash,
        address borrower,
        uint256 capacity
    ) private view returns (bytes32) {
        if (block.timestamp > quote.deadline) return "DEADLINE_PASSED";
        if (quote.taker != address(0) && quote.taker != borrower) return "TAKER_MISMATCH";
        if (quote.notional == 0) return "NOTIONAL_ZERO";
        if (quote.nonce != nonces[quote.maker]) return "NONCE_MISMATCH";

        uint8 status = quoteStatus[hash];
        if (status == FILLED) return "QUOTE_FILLED";
        if (status == CANCELLED) return "QUOTE_CANCELLED";

        (bytes32 poolOfSeries, uint64 expiry,,) = interestRatePool.series(quote.seriesKey);
        if (poolOfSeries == 0 || poolOfSeries != quote.poolId) return "SERIES_NOT_FOUND";
        if (expiry <= block.timestamp) return "SERIES_EXPIRED";
        if (quote.notional > capacity) return "CAPACITY_EXCEEDED";

        if (!SignedBy.isSignedBy(quote.maker, hash, signature)) return "BAD_SIGNATURE";

        IERC20 token = _loanToken(quote.poolId);
        if (token.balanceOf(quote.maker) < quote.notional) return "INSUFFICIENT_BALANCE";
        if (token.allowance(quote.maker, address(this)) < quote.notional) return "INSUFFICIENT_ALLOWANCE";
        return 0;
    }

    function _capacity(Quote calldata quote) private view returns (uint256) {
        (bytes32 poolOfSeries,,,) = interestRatePool.series(quote.seriesKey);
        return poolOfSeries == quote.poolId ? interestRatePool.capacity(quote.seriesKey) : 0;
    }

    function _loanToken(bytes32 poolId) private view returns (IERC20) {
        (address loanToken,,) = interestRatePool.pools(poolId);
        return IERC20(loanToken);
    }
}
